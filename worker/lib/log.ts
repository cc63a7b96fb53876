import { firstCharacters } from './text.ts'

type Fields = Record<string, unknown>

/** A structured log line: an event name and plain fields. No prompt, no signature, no secret ever goes in. */
export interface Log {
  info(event: string, fields?: Fields): void
  warn(event: string, fields?: Fields): void
  error(event: string, fields?: Fields): void
}

/** `0x19E7…ff2A`: enough of an address to find it, too little to copy by mistake. */
export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

const SECRETS: readonly [RegExp, string][] = [
  [/(:\/\/)[^/\s"@]+@/g, '$1…@'],
  [/\b(Bearer|Token)\s+[\w.~+/=-]{8,}/gi, '$1 …'],
  [/Fe26\.2\*[^\s";]+/g, '…'],
  // Signatures in hex, signed headers and quotes in base64. A transaction hash or a nonce is shorter.
  // Looked for at the start of each run alone, or a line full of ids is read many times over.
  [/(?<![\w+/-])[\w+/-]{120,}={0,2}/g, '…'],
]

/**
 * The text without what must not leave the worker by log or error tracker: credentials in URLs, bearer
 * tokens, session seals, signatures and payment headers. Addresses are shortened.
 */
export const scrub = (text: string): string =>
  SECRETS.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text).replace(
    /\b0x[0-9a-f]{40}\b/gi,
    shortAddress,
  )

/** Events whose fields hold no text of others: method, route, numbers, a short address. */
const PLAIN_EVENTS: ReadonlySet<string> = new Set(['request'])

/** A line of the log. What callers leave out of their fields is the rule; `scrub` is the net below it. */
export function logLine(level: keyof Log, event: string, fields?: Fields, base?: Fields): string {
  const line = JSON.stringify({ level, event, ...base, ...fields })
  return PLAIN_EVENTS.has(event) ? line : scrub(line)
}

/**
 * Writes one JSON object per line to the console, which Workers' observability and containers both collect. With `now` each line has
 * its time: Workers add theirs, a container does not.
 */
export function makeConsoleLog(base: Fields = {}, now?: () => Date): Log {
  const timed = (): Fields => (now === undefined ? base : { time: now().toISOString(), ...base })
  return {
    info: (event, fields) => console.log(logLine('info', event, fields, timed())),
    warn: (event, fields) => console.warn(logLine('warn', event, fields, timed())),
    error: (event, fields) => console.error(logLine('error', event, fields, timed())),
  }
}

export interface DescribedError {
  name: string
  message?: string | undefined
  /** Up to four stack frames, the innermost first. */
  at?: string[] | undefined
  cause?: DescribedError | undefined
}

/**
 * The parts of an error that may be logged: names, first lines and frames, down its causes. Later lines are left out: database
 * errors carry the statement's parameters there, and with them prompts.
 */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { name: typeof error }
  const frames = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '))
  return {
    name: error.name,
    message: firstCharacters(error.message.split('\n', 1)[0] ?? '', 200),
    at: frames.slice(0, 4).map((frame) => frame.trim()),
    ...(error.cause !== undefined && depth < 3 && { cause: describeError(error.cause, depth + 1) }),
  }
}
