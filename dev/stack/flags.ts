import { choiceFlag, integerFlag, parseFlags, urlFlag } from '../../client/cli/flags.ts'
import { UsageError } from '../../client/node/errors.ts'
import { KNOWN_CHAIN_IDS } from '../worker/worker-env.ts'
import type { StackEvent } from './service-process.ts'
import type { StackInfo } from './stack-info.ts'

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
  /** An open quote counts as sign-in for its one purchase: `PAYMENT_SIGN_IN`. */
  paymentSignIn: boolean
  /** Serves the sources and reloads at each save, as `npm run dev` does. */
  watch: boolean
  /** Writes `.dev.vars`, so that a plain `wrangler dev` serves beside the stack. */
  writeDevVars: boolean
  json: boolean
  quiet: boolean
  /** The URL that the worker uses instead of a service's own. */
  via: Partial<Record<ViaService, string>>
}

export interface StackOptions extends Partial<Omit<StackFlags, 'json' | 'quiet' | 'writeDevVars'>> {
  /** Variables that replace services or reach the worker. Default: none. `npm start` passes its environment. */
  shell?: NodeJS.ProcessEnv
  /** The first port to try when `port` is not given. Default: 8787. */
  firstPort?: number
  /** True if the site is built and served. Default: true. */
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
  --chain-id N      default 31337; a public chain's puts USDC at its address there
  --buyers N        funded accounts (default 5)
  --no-facilitator  skip the facilitator; a UUID stands for the transaction hash
  --no-limits       no rate limits
  --payment-sign-in a payment counts as the sign-in for its one purchase (PAYMENT_SIGN_IN)
  --watch           reload the worker and the site at each save (npm run dev)
  --write-dev-vars  write .dev.vars, with which \`npx wrangler dev\` signs in and buys while this runs
  --via PART=URL    the worker uses URL for PART (${VIA_SERVICES.join(', ')}), which still runs; repeatable
  --json            print the stack's addresses as one JSON line when ready
  --quiet           print problems only
  --help            this text
`

const OPTIONS = {
  port: { type: 'string' },
  state: { type: 'string' },
  fork: { type: 'string' },
  'chain-id': { type: 'string' },
  buyers: { type: 'string' },
  'no-facilitator': { type: 'boolean' },
  'no-limits': { type: 'boolean' },
  'payment-sign-in': { type: 'boolean' },
  watch: { type: 'boolean' },
  'write-dev-vars': { type: 'boolean' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean' },
  via: { type: 'string', multiple: true },
} as const

/** Reads the flags of `npm start`. Throws `UsageError` on an unknown flag or an invalid value. */
export function parseStackFlags(argv: readonly string[]): StackFlags {
  const { values } = parseFlags(argv, OPTIONS)
  const chainId = Number(choiceFlag('--chain-id', values['chain-id'] ?? '31337', KNOWN_CHAIN_IDS.map(String)))
  if (values['no-facilitator'] && chainId !== 31337) {
    throw new UsageError('--no-facilitator works on the dev chain only: leave --chain-id out')
  }
  if (values['write-dev-vars'] && chainId !== 31337) {
    throw new UsageError('--write-dev-vars works on the dev chain only: leave --chain-id out')
  }
  if (values['write-dev-vars'] && values.watch) {
    throw new UsageError('npm run dev runs wrangler dev itself: leave --write-dev-vars out, or use npm start')
  }
  const port = values.port === undefined ? undefined : integerFlag('--port', values.port, { min: 1, max: 65_535 })
  return {
    ...(port === undefined ? {} : { port }),
    ...(values.state === undefined ? {} : { state: values.state }),
    ...(values.fork === undefined ? {} : { fork: urlFlag('--fork', values.fork) }),
    chainId,
    buyers: integerFlag('--buyers', values.buyers ?? '5', { max: 10_000 }),
    facilitator: !values['no-facilitator'],
    limits: !values['no-limits'],
    paymentSignIn: values['payment-sign-in'] ?? false,
    watch: values.watch ?? false,
    writeDevVars: values['write-dev-vars'] ?? false,
    json: values.json ?? false,
    quiet: values.quiet ?? false,
    via: parseVia(values.via ?? []),
  }
}

function parseVia(entries: readonly string[]): StackFlags['via'] {
  const via: StackFlags['via'] = {}
  for (const entry of entries) {
    const at = entry.indexOf('=')
    const service = VIA_SERVICES.find((name) => name === entry.slice(0, at))
    if (service === undefined)
      throw new UsageError(`--via ${entry}: give PART=URL, PART one of ${VIA_SERVICES.join(', ')}`)
    via[service] = urlFlag(`--via ${service}`, entry.slice(at + 1))
  }
  return via
}
