import { describe, expect, it } from 'vitest'
import { hasPreference, namesEntityTag, prefersEventStream } from './list-header.ts'

describe('Accept', () => {
  it.each([
    'text/event-stream',
    'TEXT/Event-Stream',
    'text/event-stream, application/json',
    'application/json, text/event-stream',
    'application/json;q=0.5, text/event-stream;q=0.6',
    'text/event-stream;charset=utf-8',
    'text/event-stream ; q=1.0, */*;q=0.1',
    'application/json;q=0,text/event-stream;q=0.001',
  ])('default: %s is a stream', (accept) => {
    expect(prefersEventStream(accept)).toBe(true)
  })

  it.each([
    undefined,
    '',
    '*/*',
    'text/*',
    'application/json',
    'application/json, text/event-stream;q=0',
    'text/event-stream;q=0.000',
    'text/event-stream; Q=0',
    'text/event-stream;q=0.5, application/json',
    'text/event-stream;q=0.5, */*;q=0.8',
    'text/event-stream;q=2',
    'text/event-stream;q=none',
    'text/event-streams',
    'application/text/event-stream',
    'application/json;profile="a, text/event-stream"',
  ])('behavior: %s is not', (accept) => {
    expect(prefersEventStream(accept)).toBe(false)
  })
})

describe('Prefer', () => {
  it.each(['respond-async', 'Respond-Async', 'wait=10, respond-async', 'respond-async;foo=bar', 'respond-async=""'])(
    'default: %s asks for 202',
    (prefer) => {
      expect(hasPreference(prefer, 'respond-async')).toBe(true)
    },
  )

  it.each([undefined, '', 'return=minimal', 'no-respond-async', 'x="respond-async"', 'handling=lenient;respond-async'])(
    'behavior: %s does not',
    (prefer) => {
      expect(hasPreference(prefer, 'respond-async')).toBe(false)
    },
  )
})

describe('If-None-Match', () => {
  it.each(['"a"', 'W/"a"', ' "b" , W/"a"', '"b,c","a"', ', "a",', '*', ' * '])('default: %s names "a"', (header) => {
    expect(namesEntityTag(header, '"a"')).toBe(true)
  })

  it.each([null, '', 'a', '"A"', '"aa"', 'w/"a"', 'W/ "a"', 'x"a"', '"a"x', '"*"', '"b", *'])(
    'behavior: %s does not',
    (header) => {
      expect(namesEntityTag(header, '"a"')).toBe(false)
    },
  )
})
