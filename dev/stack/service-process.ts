import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import type { Reaper } from './reaper.ts'
import { type Launch, type Supervised, supervise } from './supervisor.ts'

const SERVICE_MAIN = join(import.meta.dirname, 'service-main.ts')
const address = z.templateLiteral(['0x', z.string()])

export const chainInfo = z.object({
  url: z.string(),
  chainId: z.number(),
  usdc: address,
  payTo: address,
  aic: address.nullable(),
  contracts: z.record(z.string(), address),
  buyers: z.array(z.object({ address, privateKey: address })),
})
export const urlInfo = z.object({ url: z.string() })
export const databaseInfo = z.object({ url: z.string(), databaseUrl: z.string() })

export type ServiceName = 'chain' | 'facilitator' | 'database' | 'store' | 'provider'

/** What happens while the stack starts and runs. `url` is null for a step that ends, such as a build. */
export type StackEvent =
  | { kind: 'starting'; service: string }
  | { kind: 'ready'; service: string; url: string | null; ms: number }
  | { kind: 'died'; service: string; how: string }
  | { kind: 'back'; service: string }
  | { kind: 'warning'; text: string }
  /** A line of what the sources are served by, such as a reload. */
  | { kind: 'line'; text: string }

export interface ServiceContext {
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
    launch: (previous) => serviceLaunch(service, previous ? { ...options, port: portOf(previous.url) } : options),
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
function serviceLaunch(name: string, options: Record<string, unknown>): Launch {
  return {
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', SERVICE_MAIN, name],
    env: { ...process.env, COINSLOT_SERVICE: JSON.stringify(options) },
  }
}

/** Reads a service's ready line; every other line of its stdout goes to the log. */
export function readReadyLine<Info>(
  child: ChildProcess,
  log: (text: string) => void,
  schema: z.ZodType<Info>,
): Promise<Info> {
  return new Promise((resolve, reject) => {
    if (!child.stdout) return reject(new Error('no stdout'))
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('{"ready":true')) return log(`${line}\n`)
      try {
        resolve(schema.parse(JSON.parse(line)))
      } catch (error) {
        reject(error)
      }
    })
  })
}

/** The port in a URL of 127.0.0.1, so that a service that died comes back where it was. */
export const portOf = (url: string): number => Number(new URL(url).port)
