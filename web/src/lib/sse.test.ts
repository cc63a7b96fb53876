import { describe, expect, it } from 'vitest'
import { EventParser } from './sse.ts'

const STREAM =
  ': heartbeat\n\nevent: verified\ndata: {}\n\nevent: token\r\ndata: {"text":"a"}\r\n\r\ndata: one\ndata: two\n\nevent: lost\n\n'

describe('EventParser', () => {
  it('default: events with their names, data lines joined, comments skipped', () => {
    expect(new EventParser().push(STREAM)).toEqual([
      { event: 'verified', data: '{}' },
      { event: 'token', data: '{"text":"a"}' },
      { event: 'message', data: 'one\ntwo' },
    ])
  })

  it('behavior: the same events whatever way the text is cut', () => {
    const whole = new EventParser().push(STREAM)
    for (let cut = 1; cut < STREAM.length; cut += 1) {
      const parser = new EventParser()
      const found = [...parser.push(STREAM.slice(0, cut)), ...parser.push(STREAM.slice(cut))]
      expect(found).toEqual(whole)
    }
  })

  it('behavior: an event that is not finished is not told', () => {
    expect(new EventParser().push('event: result\ndata: {"id":1}\n')).toEqual([])
  })
})
