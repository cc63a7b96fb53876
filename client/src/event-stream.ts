/** One server-sent event: its name (`message` when it has none) and its data lines joined. */
export interface StreamEvent {
  event: string
  data: string
}

/**
 * A parser of `text/event-stream` that takes text in any pieces and gives the events which became whole. Comments, `id` and
 * `retry` are passed over; an event without data is none. What stands after the last blank line was cut off and never counts.
 */
export function eventParser(): (piece: string) => StreamEvent[] {
  let rest = ''
  let event = ''
  let data: string[] = []

  function take(line: string): StreamEvent | null {
    if (line === '') {
      const whole = data.length === 0 ? null : { event: event || 'message', data: data.join('\n') }
      event = ''
      data = []
      return whole
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
    return null
  }

  return (piece) => {
    rest += piece
    // A carriage return at the end may be the first half of a line break.
    const held = rest.endsWith('\r') ? 1 : 0
    const lines = rest.slice(0, rest.length - held).split(/\r\n|\n|\r/)
    rest = (lines.pop() ?? '') + rest.slice(rest.length - held)
    return lines.map(take).filter((whole) => whole !== null)
  }
}

/** The events of a body as they come. Rejects as the body does; `onBytes` is called for every piece, heartbeats too. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void = () => undefined,
): AsyncGenerator<StreamEvent, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const parse = eventParser()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes()
      yield* parse(decoder.decode(value, { stream: true }))
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}
