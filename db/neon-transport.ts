import * as z from 'zod'
import { DatabaseUnavailable } from './client.ts'
import { fromServerReport } from './errors.ts'

export type HttpFetch = (url: string, init: RequestInit) => Promise<Response>

const reportSchema = z.object({
  message: z.string(),
  code: z.string().nullish(),
  constraint: z.string().nullish(),
})

/** Sends one request of Neon's HTTP protocol and gives a success that fits `schema`. */
export type Transport = <T>(schema: z.ZodType<T>, init: RequestInit) => Promise<T>

/**
 * Sorts the answers of `url`, so that every fault of the way to the server ends as `DatabaseUnavailable`: refused, too late, cut
 * off, not 200 or 400, not Neon's format. What PostgreSQL itself refused is a `SqlError`.
 */
export function makeTransport(url: string, send: HttpFetch): Transport {
  return async (schema, init) => {
    const { status, text } = await exchange(send, url, init)
    if (status === 400) throw fromServerReport(parse(reportSchema, status, text))
    if (status !== 200) throw new DatabaseUnavailable(`the database answered HTTP ${status}: ${text.slice(0, 200)}`)
    return parse(schema, status, text)
  }
}

async function exchange(send: HttpFetch, url: string, init: RequestInit): Promise<{ status: number; text: string }> {
  try {
    const response = await send(url, init)
    return { status: response.status, text: await response.text() }
  } catch (cause) {
    throw new DatabaseUnavailable(
      init.signal?.aborted ? 'the database did not answer in time' : 'the database cannot be reached',
      { cause },
    )
  }
}

function parse<T>(schema: z.ZodType<T>, status: number, text: string): T {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new DatabaseUnavailable(`the database answered HTTP ${status} in no format of Neon's`, { cause })
  }
}
