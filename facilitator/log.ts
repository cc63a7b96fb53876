/** Writes one line: an event and plain fields. Never pass a signature, key or token. */
export type Log = (level: 'info' | 'warn' | 'error', event: string, fields?: Record<string, unknown>) => void

/** One JSON object per line on stderr. */
export const consoleLog: Log = (level, event, fields = {}) => {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`)
}

/** More hex digits than a hash has: calldata, a signature or a signed transaction. */
const LONG_HEX = /0x[0-9a-f]{65,}/gi

/**
 * The first line of an error, at most 200 characters, without URLs and long hex strings. The next lines of viem's errors hold the
 * RPC's URL with its key, and the call's arguments with their signatures.
 */
export const reasonOf = (error: unknown): string => {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1)
  const safe = line.replace(/\b[a-z][a-z+.-]*:\/\/[^\s"'<>]+/gi, '(URL)').replace(LONG_HEX, '(data)')
  return Array.from(safe).slice(0, 200).join('')
}
