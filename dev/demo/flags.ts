import { parseArgs } from 'node:util'
import type { Hex } from 'viem'
import * as z from 'zod'
import { UsageError } from '../../client/cli/flags.ts'

export const TASKS = ['text-to-image', 'text-to-text', 'text-to-sound'] as const
export type Task = (typeof TASKS)[number]

export interface DemoFlags {
  /** What is bought, in this order. */
  tasks: readonly Task[]
  model?: string
  prompt?: string
  seed?: number
  pay: 'usdc' | 'aic'
  /** Whole AIC to stake first, a decimal string. */
  stake?: string
  json: boolean
  out: string
  origin?: string
  /** Chain signed in with at `origin`; a local stack knows its own. */
  chainId: number
  key?: Hex
  help: boolean
}

export const DEMO_HELP = `npm run demo -- [flags]

Buys one inference of each task from the stack that runs, or from one that it starts and ends.

  --task TASK    ${TASKS.join(', ')}; repeatable (default: all three)
  --model ID     that model (default: the first of each task)
  --prompt TEXT  what to make
  --seed N       for the same picture again
  --pay ASSET    usdc (default) or aic
  --stake N      stake N AIC first, and see the discount (local stack)
  --out DIR      where pictures and sounds are put (default .coinslot/out)
  --origin URL   another deployment; needs --key
  --chain-id N   the network to pay on at --origin (default 8453, Base)
  --key HEX      private key of the buyer (default: the stack's first buyer)
  --json         print each answer as one JSON line, everything else on stderr
  --help         this text
`

const OPTIONS = {
  task: { type: 'string', multiple: true },
  model: { type: 'string' },
  prompt: { type: 'string' },
  seed: { type: 'string' },
  pay: { type: 'string' },
  stake: { type: 'string' },
  json: { type: 'boolean' },
  out: { type: 'string' },
  origin: { type: 'string' },
  'chain-id': { type: 'string' },
  key: { type: 'string' },
  help: { type: 'boolean' },
} as const

const keySchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/)])

/** Reads the flags of `npm run demo`. Throws `UsageError`. */
export function parseDemoFlags(argv: readonly string[]): DemoFlags {
  const { values } = parse(argv)
  const seed = values.seed === undefined ? undefined : Number(values.seed)
  if (seed !== undefined && !Number.isSafeInteger(seed))
    throw new UsageError(`--seed ${values.seed}: give a whole number`)
  const key = values.key === undefined ? undefined : keySchema.safeParse(values.key)
  if (key && !key.success) throw new UsageError('--key: give a private key, 0x and 64 hex digits')
  const chainId = Number(values['chain-id'] ?? 8453)
  if (!Number.isSafeInteger(chainId)) throw new UsageError('--chain-id: give a whole number')
  const pay = values.pay ?? 'usdc'
  if (pay !== 'usdc' && pay !== 'aic') throw new UsageError(`--pay ${pay}: give usdc or aic`)
  if (values.stake !== undefined && !/^\d+(\.\d{1,18})?$/.test(values.stake))
    throw new UsageError('--stake: give an amount of AIC')
  if (values.stake !== undefined && values.origin !== undefined)
    throw new UsageError('--stake works on a local stack only')
  if (values.origin !== undefined && !URL.canParse(values.origin)) throw new UsageError('--origin: give a URL')
  if (values.origin !== undefined && !key)
    throw new UsageError('--origin needs --key: only a local stack has buyers of its own')
  return {
    tasks: values.task === undefined ? TASKS : values.task.map(task),
    ...(values.model === undefined ? {} : { model: values.model }),
    ...(values.prompt === undefined ? {} : { prompt: values.prompt }),
    ...(seed === undefined ? {} : { seed }),
    ...(values.origin === undefined ? {} : { origin: new URL(values.origin).origin }),
    ...(key ? { key: key.data } : {}),
    ...(values.stake === undefined ? {} : { stake: values.stake }),
    pay,
    chainId,
    json: values.json ?? false,
    out: values.out ?? '.coinslot/out',
    help: values.help ?? false,
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

function task(text: string): Task {
  const found = TASKS.find((name) => name === text)
  if (found === undefined) throw new UsageError(`--task ${text}: give one of ${TASKS.join(', ')}`)
  return found
}
