import * as z from 'zod'

const bodySchema = z.record(z.string(), z.unknown())

/** What a caller heard, the request id left out. */
export interface Heard {
  status: number
  code: string | null
  body: Record<string, unknown>
}

/** Somebody who waits for an answer. */
export interface Client {
  payment: number
  hasLeft: boolean
  leave(): void
}

/** A stream's text up to where it ends or its reader leaves. */
export async function readAll(client: Client, response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  client.leave = () => {
    client.hasLeft = true
    reader.cancel().catch(() => undefined)
  }
  const decoder = new TextDecoder()
  let text = ''
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += decoder.decode(read.value, { stream: true })
  }
  return text
}

export function answerOf(response: Response, text: string): Heard | null {
  if (!response.headers.get('Content-Type')?.includes('text/event-stream')) {
    return heard(response.status, bodySchema.parse(JSON.parse(text)))
  }
  const last =
    text
      .split('\n\n')
      .filter((block) => block.startsWith('event:'))
      .at(-1) ?? ''
  const event = /^event: ?(.*)$/m.exec(last)?.[1]
  const data = /^data: ?(.*)$/m.exec(last)?.[1]
  if (data === undefined) return null
  const body = bodySchema.parse(JSON.parse(data))
  if (event === 'result') return heard(200, body)
  if (event === 'pending') return heard(202, body)
  return event === 'error' ? heard(Number(body['status']), body) : null
}

function heard(status: number, { requestId: _, ...body }: Record<string, unknown>): Heard {
  return { status, code: typeof body['code'] === 'string' ? body['code'] : null, body }
}
