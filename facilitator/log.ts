/** Writes one line: an event and plain fields. No signature, no key, no token ever goes in. */
export type Log = (level: 'info' | 'warn' | 'error', event: string, fields?: Record<string, unknown>) => void

/** One JSON object per line on stderr. */
export const consoleLog: Log = (level, event, fields = {}) => {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`)
}

/** The first line of an error, shortened: viem puts a call's arguments, and with them signatures, into the next ones. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]?.slice(0, 200) ?? ''
