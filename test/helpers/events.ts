/** One server-sent event with its data parsed. */
export interface StreamedEvent {
  event: string
  data: unknown
}

/** Every event of a stream, once it has ended. Comments are passed over. */
export async function readEvents(response: Response): Promise<StreamedEvent[]> {
  const blocks = (await response.text()).split('\n\n').filter((block) => /^event:/m.test(block))
  return blocks.map((block) => {
    const lines = block.split('\n')
    const field = (name: string): string =>
      lines
        .filter((line) => line.startsWith(`${name}:`))
        .map((line) => line.slice(name.length + 1).trim())
        .join('\n')
    return { event: field('event'), data: JSON.parse(field('data')) }
  })
}
