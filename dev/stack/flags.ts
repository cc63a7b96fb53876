import { choiceFlag, integerFlag, parseFlags, UsageError, urlFlag } from '../../client/cli/flags.ts'
import { KNOWN_CHAIN_IDS } from './worker-env.ts'

export const VIA_PARTS = ['rpc', 'facilitator', 'database', 'store', 'provider'] as const
export type ViaPart = (typeof VIA_PARTS)[number]

export interface StackFlags {
  /** Undefined: 8787, or the next free one. */
  port?: number
  state?: string
  fork?: string
  chainId: number
  buyers: number
  facilitator: boolean
  limits: boolean
  json: boolean
  quiet: boolean
  /** What the worker is given instead of a part's own URL. */
  via: Partial<Record<ViaPart, string>>
}

export const HELP = `npm start -- [flags]

  --port N          port of the site and the API (default 8787, or the next free one)
  --state DIR       keep chain, database, objects and secret there (default: thrown away at the end)
  --fork URL        fork that RPC; buyers get USDC there
  --chain-id N      default 31337; 84532 puts USDC at its Base Sepolia address
  --buyers N        funded accounts (default 5)
  --no-facilitator  skip the facilitator; a UUID stands for the transaction hash
  --no-limits       no rate limits
  --via PART=URL    the worker uses URL for PART (${VIA_PARTS.join(', ')}), which still runs; repeatable
  --json            print the facts as one JSON line when ready
  --quiet           print nothing but problems
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
  const port = values.port === undefined ? undefined : integerFlag('--port', values.port, { min: 0, max: 65_535 })
  return {
    ...(port === undefined ? {} : { port }),
    ...(values.state === undefined ? {} : { state: values.state }),
    ...(values.fork === undefined ? {} : { fork: urlFlag('--fork', values.fork) }),
    chainId,
    buyers: integerFlag('--buyers', values.buyers ?? '5', { max: 10_000 }),
    facilitator: !values['no-facilitator'],
    limits: !values['no-limits'],
    json: values.json ?? false,
    quiet: values.quiet ?? false,
    via: parseVia(values.via ?? []),
  }
}

function parseVia(entries: readonly string[]): StackFlags['via'] {
  const via: StackFlags['via'] = {}
  for (const entry of entries) {
    const at = entry.indexOf('=')
    const part = VIA_PARTS.find((name) => name === entry.slice(0, at))
    if (part === undefined) throw new UsageError(`--via ${entry}: give PART=URL, PART one of ${VIA_PARTS.join(', ')}`)
    via[part] = urlFlag(`--via ${part}`, entry.slice(at + 1))
  }
  return via
}
