import * as z from 'zod'
import { DatabaseUnavailable } from './client.ts'
import { fromServerReport } from './errors.ts'

export type HttpFetch = (url: string, init: RequestInit) => Promise<Response>

/** The part of a `Response` that Neon's driver reads. */
interface Answer {
  ok: boolean
  status: number
  json(): Promise<unknown>
  text(): Promise<string>
}

/** Sends one request of the driver and returns a well-formed success. Throws our own errors for anything else. */
export type Transport = (url: string, init: RequestInit) => Promise<Answer>

/** The driver reads what is in it. */
const list = z.custom<unknown[]>(Array.isArray)
const resultSchema = z.looseObject({ fields: list, rows: list })
const successSchema = z.union([resultSchema, z.object({ results: z.array(resultSchema) })])
const reportSchema = z.object({
  message: z.string(),
  code: z.string().nullish(),
  constraint: z.string().nullish(),
})

/**
 * Sends the driver's requests to `httpUrl` (or to where the driver says) and sorts the answers, so that every fault of the
 * way to the server ends as `DatabaseUnavailable`: refused, too late, cut off, not 200 or 400, not Neon's format.
 */
export function makeTransport({ httpUrl, fetch: send }: { httpUrl?: string; fetch?: HttpFetch }): Transport {
  return async (url, init) => {
    const { status, text } = await exchange(send ?? fetch, httpUrl ?? url, init)
    if (status === 400) throw fromServerReport(parse(reportSchema, status, text))
    if (status !== 200) throw new DatabaseUnavailable(`the database answered HTTP ${status}: ${text.slice(0, 200)}`)
    const body = parse(successSchema, status, text)
    return { ok: true, status, json: async () => body, text: async () => text }
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
