/** What one statement gave: every cell as PostgreSQL's text, or null. */
export interface RawResult {
  command: string
  rowCount: number
  rows: (string | null)[][]
  fields: { name: string; dataTypeID: number }[]
}

export type RawQuery = (text: string, params: (string | null)[]) => Promise<RawResult>

/** A PostgreSQL server as Neon's proxy sees it. */
export interface SqlEngine {
  /** Runs `work` on a connection that nobody else uses meanwhile. */
  withConnection<T>(work: (query: RawQuery) => Promise<T>): Promise<T>
  close(): Promise<void>
}
