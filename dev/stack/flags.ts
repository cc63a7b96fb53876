import { parseArgs } from 'node:util'
import type { StackEvent } from './service-process.ts'
import type { StackInfo } from './stack-info.ts'
import { KNOWN_CHAIN_IDS } from './worker-env.ts'

export const VIA_SERVICES = ['rpc', 'facilitator', 'database', 'store', 'provider'] as const
export type ViaService = (typeof VIA_SERVICES)[number]

export interface StackFlags {
  /** Undefined: 8787, or the next free one. */
  port?: number
  state?: string
  fork?: string
  chainId: number
  buyers: number
  facilitator: boolean
  limits: boolean
  /** Serves the sources and reloads at each save, as `npm run dev` does. */
  watch: boolean
  json: boolean
  quiet: boolean
  help: boolean
  /** What the worker is given instead of a service's own URL. */
  via: Partial<Record<ViaService, string>>
}

export interface StackOptions extends Partial<Omit<StackFlags, 'json' | 'quiet' | 'help'>> {
  /** Variables that replace services or reach the worker. Default: none. `npm start` passes its environment. */
  shell?: NodeJS.ProcessEnv
  /** The first port to try when `port` is not given. Default: 8787. */
  firstPort?: number
  /** Whether the site is built and served. Default: true. */
  site?: boolean
  onEvent?(event: StackEvent): void
  /** The worker runs again in another process. */
  onWorkerPid?(info: StackInfo): void
}

export const HELP = `npm start -- [flags]   run the product
npm run dev -- [flags] run it from its sources, and reload at each save

  --port N          port of the site and the API (default 8787, or the next free one)
  --state DIR       keep chain, database, objects and secrets there (default: deleted at the end)
  --fork URL        fork that RPC; buyers get USDC there
  --chain-id N      default 31337; 84532 puts USDC at its Base Sepolia address
  --buyers N        funded accounts (default 5)
  --no-facilitator  skip the facilitator; a UUID stands for the transaction hash
  --no-limits       no rate limits
  --watch           reload the worker and the site at each save (npm run dev)
  --via PART=URL    the worker uses URL for PART (${VIA_SERVICES.join(', ')}), which still runs; repeatable
  --json            print the stack's addresses as one JSON line when ready
  --quiet           print problems only
  --help            this text
`

/** An invalid command line. The message says what is valid. */
export class UsageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UsageError'
  }
}

const OPTIONS = {
  port: { type: 'string' },
  state: { type: 'string' },
  fork: { type: 'string' },
  'chain-id': { type: 'string' },
  buyers: { type: 'string' },
  'no-facilitator': { type: 'boolean' },
  'no-limits': { type: 'boolean' },
  watch: { type: 'boolean' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean' },
  help: { type: 'boolean' },
  via: { type: 'string', multiple: true },
} as const

/** Reads the flags of `npm start`. Throws `UsageError` on an unknown flag or a value that makes no sense. */
export function parseFlags(argv: readonly string[]): StackFlags {
  const { values } = parse(argv)
  const id = chainId(values['chain-id'] ?? '31337')
  if (values['no-facilitator'] && id !== 31337) {
    throw new UsageError('--no-facilitator works on the dev chain only: leave --chain-id out')
  }
  const port = values.port === undefined ? undefined : integer('--port', values.port, 1, 65_535)
  return {
    ...(port === undefined ? {} : { port }),
    ...(values.state === undefined ? {} : { state: values.state }),
    ...(values.fork === undefined ? {} : { fork: httpUrl('--fork', values.fork) }),
    chainId: id,
    buyers: integer('--buyers', values.buyers ?? '5', 1, 10_000),
    facilitator: !values['no-facilitator'],
    limits: !values['no-limits'],
    watch: values.watch ?? false,
    json: values.json ?? false,
    quiet: values.quiet ?? false,
    help: values.help ?? false,
    via: parseVia(values.via ?? []),
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, strict: true, allowPositionals: false })
  } catch (error) {
    const names = Object.keys(OPTIONS).map((name) => `--${name}`)
    const why = error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error)
    throw new UsageError(`${why}. Known flags: ${names.join(' ')}`)
  }
}

function parseVia(entries: readonly string[]): StackFlags['via'] {
  const via: StackFlags['via'] = {}
  for (const entry of entries) {
    const at = entry.indexOf('=')
    const service = VIA_SERVICES.find((name) => name === entry.slice(0, at))
    if (service === undefined)
      throw new UsageError(`--via ${entry}: give PART=URL, PART one of ${VIA_SERVICES.join(', ')}`)
    via[service] = httpUrl(`--via ${service}`, entry.slice(at + 1))
  }
  return via
}

function chainId(text: string): number {
  const id = KNOWN_CHAIN_IDS.find((known) => String(known) === text)
  if (id === undefined) throw new UsageError(`--chain-id ${text}: give one of ${KNOWN_CHAIN_IDS.join(', ')}`)
  return id
}

function integer(flag: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new UsageError(`${flag} ${text}: give a whole number from ${min} to ${max}`)
  }
  return value
}

function httpUrl(flag: string, text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new UsageError(`${flag} ${text}: give a URL that starts with http:// or https://`)
  }
  return text
}
