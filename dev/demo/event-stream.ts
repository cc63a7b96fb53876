export interface StreamEvent {
  event: string
  data: string
}

/** Reads server-sent events as they come. Throws when the connection breaks. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = block
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)])
      const valuesOf = (name: string): string[] =>
        fields.filter(([field]) => field === name).map(([, value = '']) => value.replace(/^ /, ''))
      const [event] = valuesOf('event')
      if (event !== undefined) yield { event, data: valuesOf('data').join('\n') }
    }
  }
}
