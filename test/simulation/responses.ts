import * as z from 'zod'

const bodySchema = z.record(z.string(), z.unknown())

/** A response without its request id. */
export interface Received {
  status: number
  code: string | null
  body: Record<string, unknown>
  /** True if the header came with it; null in a stream. */
  paymentResponse: boolean | null
}

/** A caller that waits for an answer. */
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

export function answerOf(response: Response, text: string): Received | null {
  if (!response.headers.get('Content-Type')?.includes('text/event-stream')) {
    return received(response.status, bodySchema.parse(JSON.parse(text)), response.headers.has('Payment-Response'))
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
  if (event === 'result') return received(200, body)
  if (event === 'pending') return received(202, body)
  return event === 'error' ? received(Number(body['status']), body) : null
}

function received(
  status: number,
  { requestId: _, ...body }: Record<string, unknown>,
  paymentResponse: boolean | null = null,
): Received {
  return { status, code: typeof body['code'] === 'string' ? body['code'] : null, body, paymentResponse }
}
