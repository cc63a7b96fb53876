import { type Log, makeConsoleLog } from '../lib/log.ts'

/** The log of a container: one JSON object per line, each with its `time`, which nothing else would add. */
export const makeNodeLog = (base: Record<string, unknown> = {}): Log => makeConsoleLog(base, () => new Date())
