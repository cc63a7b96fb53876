import * as z from 'zod'
import type { Reaper } from './reaper.ts'
import { partLaunch, portOf, readReadyLine } from './service-process.ts'
import { type Supervised, supervise } from './supervisor.ts'

const address = z.templateLiteral(['0x', z.string()])

export const chainFacts = z.object({
  url: z.string(),
  chainId: z.number(),
  usdc: address,
  payTo: address,
  aic: address.nullable(),
  contracts: z.record(z.string(), address),
  buyers: z.array(z.object({ address, privateKey: address })),
})
export const urlFacts = z.object({ url: z.string() })
export const databaseFacts = z.object({ url: z.string(), databaseUrl: z.string() })

/** What happens to a part, for whoever shows it. */
export type StackEvent =
  | { kind: 'ready'; part: string; url: string; ms: number }
  | { kind: 'died'; part: string; how: string }
  | { kind: 'back'; part: string }
  | { kind: 'warning'; text: string }

export interface PartContext {
  logs: string
  reaper: Reaper
  emit(event: StackEvent): void
  /** Called when a part serves again after it died. */
  onBack?(part: string): void
}

/** Starts the part in `dev/<folder>` as a process of its own that comes back on the same port. */
export async function startPart<Facts extends { url: string }>(
  context: PartContext,
  part: string,
  folder: string,
  schema: z.ZodType<Facts>,
  options: Record<string, unknown>,
): Promise<Supervised<Facts>> {
  const began = performance.now()
  const process_ = await supervise<Facts>({
    name: part,
    logFile: `${context.logs}/${part}.log`,
    reaper: context.reaper,
    launch: (previous) => partLaunch(folder, previous ? { ...options, port: portOf(previous.url) } : options),
    ready: (child, log) => readReadyLine(child, log, schema),
    onDeath: (how) => context.emit({ kind: 'died', part, how }),
    onRestart: () => {
      context.emit({ kind: 'back', part })
      context.onBack?.(part)
    },
  })
  context.emit({ kind: 'ready', part, url: process_.facts.url, ms: performance.now() - began })
  return process_
}
