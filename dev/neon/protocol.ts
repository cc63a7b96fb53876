import * as z from 'zod'

/** The result of one statement: every cell as PostgreSQL's text, or null. */
export interface RawResult {
  command: string
  rowCount: number
  rows: (string | null)[][]
  fields: { name: string; dataTypeID: number }[]
}

export type RawQuery = (text: string, params: (string | null)[]) => Promise<RawResult>

/** A PostgreSQL server as Neon's proxy sees it. */
export interface SqlEngine {
  /** Runs `work` on a connection that is not shared meanwhile. */
  withConnection<T>(work: (query: RawQuery) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const param = z.union([z.string(), z.number(), z.boolean(), z.null()])
const queryShape = z.object({ query: z.string(), params: z.array(param).default([]) })
const requestShape = z.union([queryShape, z.object({ queries: z.array(queryShape) })])
type Query = z.infer<typeof queryShape>

const headersShape = z.object({
  'neon-connection-string': z.string(),
  'neon-raw-text-output': z.literal('true'),
  'neon-array-mode': z.literal('true'),
  'neon-batch-isolation-level': z
    .enum(['ReadUncommitted', 'ReadCommitted', 'RepeatableRead', 'Serializable'])
    .optional(),
  'neon-batch-read-only': z.enum(['true', 'false']).optional(),
  'neon-batch-deferrable': z.enum(['true', 'false']).optional(),
})
export type NeonHeaders = z.infer<typeof headersShape>

const ISOLATION = {
  ReadUncommitted: 'read uncommitted',
  ReadCommitted: 'read committed',
  RepeatableRead: 'repeatable read',
  Serializable: 'serializable',
} as const

/** The `Neon-*` headers of a request; throws a `ZodError` for a client other than Neon's driver (raw text and array mode). */
export const parseHeaders = (headers: unknown): NeonHeaders => headersShape.parse(headers)

/** Runs the body of `POST /sql`: one statement, or a batch as one transaction. Returns the body of the answer. */
export function execute(engine: SqlEngine, headers: NeonHeaders, body: unknown): Promise<unknown> {
  const request = requestShape.parse(body)
  return engine.withConnection((query) =>
    'queries' in request ? runBatch(query, headers, request.queries) : runOne(query, request),
  )
}

async function runBatch(query: RawQuery, headers: NeonHeaders, queries: Query[]): Promise<unknown> {
  await query(begin(headers), [])
  try {
    const results: unknown[] = []
    for (const each of queries) results.push(await runOne(query, each))
    await query('commit', [])
    return { results }
  } catch (error) {
    await query('rollback', [])
    throw error
  }
}

function begin(headers: NeonHeaders): string {
  const isolation = headers['neon-batch-isolation-level']
  return [
    'begin',
    isolation && `isolation level ${ISOLATION[isolation]}`,
    headers['neon-batch-read-only'] === 'true' && 'read only',
    headers['neon-batch-deferrable'] === 'true' && 'deferrable',
  ]
    .filter(Boolean)
    .join(' ')
}

async function runOne(query: RawQuery, { query: text, params }: Query): Promise<RawResult & { rowAsArray: true }> {
  const result = await query(
    text,
    params.map((value) => (value === null ? null : String(value))),
  )
  return { ...result, rowAsArray: true }
}

/** Members of a PostgreSQL error that Neon passes on. */
const reportShape = z
  .object({
    message: z.string(),
    code: z.string(),
    severity: z.string(),
    detail: z.string(),
    hint: z.string(),
    position: z.string(),
    internalPosition: z.string(),
    internalQuery: z.string(),
    where: z.string(),
    schema: z.string(),
    table: z.string(),
    column: z.string(),
    dataType: z.string(),
    constraint: z.string(),
    file: z.string(),
    line: z.string(),
    routine: z.string(),
  })
  .partial()
  .required({ message: true, code: true, severity: true })

/** The report of an error that PostgreSQL raised, or null for any other error. */
export function serverReport(error: unknown): z.infer<typeof reportShape> | null {
  return reportShape.safeParse(error).data ?? null
}
