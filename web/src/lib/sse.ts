/** One event of an event stream: its name (`message` when none was given) and its data lines joined. */
export interface StreamMessage {
  event: string
  data: string
}

/**
 * Reads `text/event-stream` in any cut of its text: hand it each piece as it comes, get back the events that became whole.
 * Comments (heartbeats), `id` and `retry` are skipped; an event without data is dropped, as the standard says.
 */
export class EventParser {
  private rest = ''
  private event = ''
  private data: string[] = []

  push(piece: string): StreamMessage[] {
    const found: StreamMessage[] = []
    const text = this.rest + piece
    // A carriage return at the very end may be half of CRLF: it waits for the next piece.
    const usable = text.endsWith('\r') ? text.length - 1 : text.length
    const lines = text.slice(0, usable).split(/\r\n|\n|\r/)
    this.rest = (lines.pop() ?? '') + text.slice(usable)
    for (const line of lines) {
      const message = this.takeLine(line)
      if (message) found.push(message)
    }
    return found
  }

  private takeLine(line: string): StreamMessage | null {
    if (line === '') return this.finish()
    const colon = line.indexOf(':')
    if (colon === 0) return null
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'event') this.event = value
    if (name === 'data') this.data.push(value)
    return null
  }

  private finish(): StreamMessage | null {
    const message = this.data.length === 0 ? null : { event: this.event || 'message', data: this.data.join('\n') }
    this.event = ''
    this.data = []
    return message
  }
}
