/** One server-sent event: its name (`message` when it has none) and its data lines joined. */
export interface StreamEvent {
  event: string
  data: string
}

/**
 * A parser of `text/event-stream` that takes text in pieces of any size and returns the events that are complete. It skips
 * comments, `id`, `retry`, and events without data. Text after the last blank line was cut off and is dropped.
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
    // A carriage return at the end may be the first half of a CRLF.
    const held = rest.endsWith('\r') ? 1 : 0
    const lines = rest.slice(0, rest.length - held).split(/\r\n|\n|\r/)
    rest = (lines.pop() ?? '') + rest.slice(rest.length - held)
    return lines.map(take).filter((whole) => whole !== null)
  }
}

/** The events of a body as they arrive. Throws the body's errors. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const parse = eventParser()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield* parse(decoder.decode(value, { stream: true }))
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}
