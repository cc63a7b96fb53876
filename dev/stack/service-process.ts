import * as z from 'zod'
import { portOf } from '../process/ports.ts'
import type { Reaper } from '../process/reaper.ts'
import { readReadyLine } from '../process/service.ts'
import { type Launch, type Supervised, supervise } from '../process/supervisor.ts'

const address = z.templateLiteral(['0x', z.string()])

export const chainInfo = z.object({
  url: z.string(),
  chainId: z.number(),
  usdc: address,
  payTo: address,
  aic: address.nullable(),
  contracts: z.record(z.string(), address),
  launchPlan: z.string().nullable(),
  buyers: z.array(z.object({ address, privateKey: address })),
})
export const urlInfo = z.object({ url: z.string() })
export const databaseInfo = z.object({ url: z.string(), databaseUrl: z.string() })

export type ServiceName = 'chain' | 'facilitator' | 'database' | 'store' | 'provider'

/** An event of the stack while it starts and runs. `url` is null for a step that ends, such as a build. */
export type StackEvent =
  | { kind: 'starting'; service: string }
  | { kind: 'ready'; service: string; url: string | null; ms: number }
  | { kind: 'died'; service: string; how: string }
  | { kind: 'back'; service: string }
  | { kind: 'warning'; text: string }
  /** A line of what the sources are served by, such as a reload. */
  | { kind: 'line'; text: string }

export interface ServiceContext {
  /** The file that node runs for each service: the bundle of `service-main.ts`. */
  program: string
  logs: string
  reaper: Reaper
  emit(event: StackEvent): void
  /** Called when a service serves again after it died. */
  onBack?(service: ServiceName): void
}

/** Starts a service in a process that is started again, on the same port, whenever it ends. */
export async function startService<Info extends { url: string }>(
  context: ServiceContext,
  service: ServiceName,
  schema: z.ZodType<Info>,
  options: Record<string, unknown>,
): Promise<Supervised<Info>> {
  const began = performance.now()
  context.emit({ kind: 'starting', service })
  const process_ = await supervise<Info>({
    name: service,
    logFile: `${context.logs}/${service}.log`,
    reaper: context.reaper,
    launch: (previous) =>
      serviceLaunch(context.program, service, previous ? { ...options, port: portOf(previous.url) } : options),
    ready: (child, log) => readReadyLine(child, log, schema),
    onDeath: (how) => context.emit({ kind: 'died', service, how }),
    onRestart: () => {
      context.emit({ kind: 'back', service })
      context.onBack?.(service)
    },
  })
  context.emit({ kind: 'ready', service, url: process_.info.url, ms: performance.now() - began })
  return process_
}

/** How a service is started: its options in the environment, its info as one JSON line on stdout (see `service.ts`). */
function serviceLaunch(program: string, name: string, options: Record<string, unknown>): Launch {
  return {
    command: process.execPath,
    args: [program, name],
    env: { ...process.env, COINSLOT_SERVICE: JSON.stringify(options) },
  }
}
