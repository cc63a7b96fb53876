import { describe, expect, it } from 'vitest'
import { eventParser, readEvents } from './event-stream.ts'

const STREAM =
  ': waiting\n\nevent: settled\ndata: {"id":"a"}\nid: 7\n\nevent: token\r\ndata: {"text":\r\ndata: "é"}\r\n\r\ndata:plain\n\nevent: empty\n\n'
const EVENTS = [
  { event: 'settled', data: '{"id":"a"}' },
  { event: 'token', data: '{"text":\n"é"}' },
  { event: 'message', data: 'plain' },
]

describe('the parser of event streams', () => {
  it('behavior: every cut of the text yields the same events', () => {
    for (let cut = 0; cut <= STREAM.length; cut += 1) {
      const parse = eventParser()
      expect([...parse(STREAM.slice(0, cut)), ...parse(STREAM.slice(cut))]).toEqual(EVENTS)
    }
  })

  it('behavior: single characters, and carriage returns alone, yield the same events', () => {
    const parse = eventParser()
    expect([...STREAM].flatMap((char) => parse(char))).toEqual(EVENTS)
    const returns = eventParser()
    expect([...STREAM.replaceAll('\r\n', '\n').replaceAll('\n', '\r'), '\n'].flatMap((char) => returns(char))).toEqual(
      EVENTS,
    )
  })

  it('behavior: an event that was cut off before its blank line never counts', () => {
    expect(eventParser()('event: result\ndata: {"id":"a"}\n')).toEqual([])
  })

  it('behavior: a letter cut in two by the network comes out whole', async () => {
    const bytes = new TextEncoder().encode('data: é\n\n')
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(bytes.slice(0, 7))
        controller.enqueue(bytes.slice(7))
        controller.close()
      },
    })
    const events = []
    for await (const event of readEvents(body)) events.push(event)
    expect(events).toEqual([{ event: 'message', data: 'é' }])
  })
})
