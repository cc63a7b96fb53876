/** A structured log line: an event name and plain fields. No prompt, no signature, no secret ever goes in. */
export interface Log {
  info(event: string, fields?: Record<string, unknown>): void
  warn(event: string, fields?: Record<string, unknown>): void
  error(event: string, fields?: Record<string, unknown>): void
}

/** `0x19E7…ff2A`: enough of an address to find it, too little to copy by mistake. */
export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

/** Writes one JSON object per line to the console, which Workers' observability and containers both collect. */
export function makeConsoleLog(base: Record<string, unknown> = {}): Log {
  const line = (level: string, event: string, fields: Record<string, unknown> = {}): string =>
    JSON.stringify({ level, event, ...base, ...fields })
  return {
    info: (event, fields) => console.log(line('info', event, fields)),
    warn: (event, fields) => console.warn(line('warn', event, fields)),
    error: (event, fields) => console.error(line('error', event, fields)),
  }
}

/**
 * What may be logged of an error: names, first lines and frames, down its causes. Later lines are left out, since database
 * errors carry the statement's parameters there, and with them prompts.
 */
export function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error }
  const frames = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '))
  return {
    name: error.name,
    message: error.message.split('\n', 1)[0]?.slice(0, 200),
    at: frames.slice(0, 4).map((frame) => frame.trim()),
    ...(error.cause !== undefined && depth < 3 && { cause: describeError(error.cause, depth + 1) }),
  }
}
