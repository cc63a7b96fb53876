import * as z from 'zod'

/** How the next matching run ends. */
const runSchema = z.strictObject({
  /** Applies only to a run whose webhook URL or input contains this text. */
  match: z.string().optional(),
  times: z.int().min(1).default(1),
  startingMs: z.number().min(0).optional(),
  processingMs: z.number().min(0).optional(),
  /** The run does not end before this name is released. A text has its first piece by then. */
  held: z.string().optional(),
  /** The last status: one of the six, or any other word, which then stays. */
  status: z.string().optional(),
  error: z.string().optional(),
  /** Seconds; null omits `metrics.predict_time`. */
  predictTime: z.number().nullable().optional(),
  /** Shape of the output; `none` is null. */
  shape: z.enum(['string', 'list', 'object', 'nested', 'pieces', 'none']).optional(),
  /** Any output, unchanged. */
  output: z.json().optional(),
  /** A faulty file. */
  file: z
    .enum(['huge', 'redirect', 'foreign', 'svg', 'html', 'missing', 'empty', 'no-length', 'cut', 'slow'])
    .optional(),
  /** Content type of files, whatever their bytes are. */
  contentType: z.string().optional(),
  /** Bytes of a huge file; default 60 MiB. */
  fileBytes: z.int().min(0).optional(),
  /** Output URL of a `foreign` file, and target of a redirecting one. */
  fileUrl: z.string().optional(),
  logs: z.array(z.string()).optional(),
})

/** How the next matching call is answered. */
const callSchema = z.strictObject({
  on: z.enum(['create', 'get', 'list', 'cancel', 'model', 'account', 'stream', 'file', 'any']),
  /** Applies only to a call whose path or body contains this text. */
  match: z.string().optional(),
  times: z.int().min(1).default(1),
  delayMs: z.number().min(0).optional(),
  status: z.int().min(200).max(599).optional(),
  /** Seconds, sent as `Retry-After` and in the body of a 429. */
  retryAfter: z.number().optional(),
  body: z.json().optional(),
  /** The work is done before the answer fails. */
  work: z.boolean().optional(),
  hang: z.boolean().optional(),
  reset: z.boolean().optional(),
  garbage: z.boolean().optional(),
  /** A body that is sent as it is, with 200 unless `status` is given; its type is `contentType`, or HTML. */
  text: z.string().optional(),
  contentType: z.string().optional(),
})

export const scriptSchema = z.strictObject({
  clear: z.boolean().optional(),
  runs: z.array(runSchema).default([]),
  calls: z.array(callSchema).default([]),
  /** Lets the runs that are held under this name end. */
  release: z.string().optional(),
  /** The list omits `webhook`. */
  hideWebhookInList: z.boolean().optional(),
  pageSize: z.int().min(1).optional(),
  speed: z.number().positive().optional(),
})

export type RunScript = z.output<typeof runSchema>
export type CallScript = z.output<typeof callSchema>
export type CallName = CallScript['on']
export type Script = ReturnType<typeof createScript>

/** Scripts that were not yet used. */
export function createScript(speed: number) {
  const runs: RunScript[] = []
  const calls: CallScript[] = []
  const holds = new Map<string, PromiseWithResolvers<void>>()
  const settings = { hideWebhookInList: false, pageSize: 100, speed }

  const holdOf = (name: string): PromiseWithResolvers<void> => {
    const hold = holds.get(name) ?? Promise.withResolvers<void>()
    holds.set(name, hold)
    return hold
  }

  return {
    settings,
    /** Resolves when this name is released, also if that was before. */
    released: (name: string): Promise<void> => holdOf(name).promise,
    add(script: z.output<typeof scriptSchema>): void {
      if (script.clear) {
        runs.length = 0
        calls.length = 0
        Object.assign(settings, { hideWebhookInList: false, pageSize: 100, speed })
      }
      runs.push(...script.runs)
      calls.push(...script.calls)
      if (script.release !== undefined) holdOf(script.release).resolve()
      settings.hideWebhookInList = script.hideWebhookInList ?? settings.hideWebhookInList
      settings.pageSize = script.pageSize ?? settings.pageSize
      settings.speed = script.speed ?? settings.speed
    },
    takeRun: (text: string): RunScript | undefined => take(runs, (run) => fits(run.match, text)),
    takeCall: (name: CallName, text: string): CallScript | undefined =>
      take(calls, (call) => (call.on === name || call.on === 'any') && fits(call.match, text)),
    waiting: () => ({ runs: runs.length, calls: calls.length }),
  }
}

function fits(match: string | undefined, text: string): boolean {
  return match === undefined || text.includes(match)
}

function take<Item extends { times: number }>(queue: Item[], wanted: (item: Item) => boolean): Item | undefined {
  const index = queue.findIndex(wanted)
  const item = queue[index]
  if (item === undefined) return undefined
  item.times -= 1
  if (item.times === 0) queue.splice(index, 1)
  return item
}
