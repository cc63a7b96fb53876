/** A part of the local stack that runs: where it answers and how to end it. Further members go into the ready line as they are. */
export interface RunningPart {
  url: string
  close(): Promise<void>
}

/**
 * Runs one part as a process of its own: options come as JSON in `COINSLOT_PART`, one JSON line on stdout says it is ready
 * (every member of the started part that is not a function), SIGTERM or the end of stdin (the parent is gone) ends it.
 */
export async function servePart<Options>(start: (options: Options) => Promise<RunningPart>): Promise<void> {
  const options: Options = JSON.parse(process.env['COINSLOT_PART'] ?? '{}')
  const part = await start(options)
  const facts = Object.fromEntries(Object.entries(part).filter(([, value]) => typeof value !== 'function'))
  process.stdout.write(`${JSON.stringify({ ready: true, ...facts })}\n`)
  let closing = false
  const stop = (): void => {
    if (closing) return
    closing = true
    part.close().finally(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.stdin.on('end', stop).on('close', stop).resume()
}
