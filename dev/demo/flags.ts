import { choiceFlag, integerFlag, readFlags } from '../../client/cli/flags.ts'
import { UsageError } from '../../client/node/errors.ts'
import { taskFlag } from '../../client/node/request.ts'
import { TASKS } from '../../client/src/tasks.ts'
import type { Task } from '../../client/src/types.ts'

export const DEMO_HELP = `npm run demo -- [flags]

Buys one inference of each task from the running local stack, or from one that it starts and ends.

  --task TASK           image, text or sound; repeatable (default: all three)
  --model ID            that model (default: the first of each task)
  --prompt TEXT         what to make
  --seed N              for the same picture again
  --pay ASSET           usdc (default) or aic
  --presale             buy in the presale, finish it and claim, instead of inference (local stack)
  --stake N             stake N AIC first, and see the discount (local stack)
  --out DIR             where pictures and sounds are put (default .coinslot/out)
  --origin URL          another deployment; the key comes from --keystore or COINSLOT_PRIVATE_KEY
  --keystore FILE       the buyer's key (default: a buyer of the local stack)
  --password-file FILE  the keystore's password
  --chain-id N          the network to pay on (default: the first of the deployment)
  --json                print each result as one JSON line; everything else goes to stderr
  --quiet               nothing on stderr
  --help                this text
`

const OPTIONS = {
  task: { type: 'string', multiple: true },
  model: { type: 'string' },
  prompt: { type: 'string' },
  seed: { type: 'string' },
  pay: { type: 'string' },
  presale: { type: 'boolean' },
  stake: { type: 'string' },
  out: { type: 'string' },
} as const

type Flags = ReturnType<typeof readFlags<typeof OPTIONS>>['values']

export interface DemoFlags extends Omit<Flags, 'task' | 'seed' | 'pay' | 'out'> {
  /** The purchases, in this order; undefined: a model of any task. */
  tasks: readonly (Task | undefined)[]
  seed: number | undefined
  pay: 'usdc' | 'aic'
  out: string
}

/** Reads the flags of `npm run demo`. Throws `UsageError`. */
export function parseDemoFlags(args: readonly string[]): DemoFlags {
  const { task, seed, pay = 'usdc', out = '.coinslot/out', ...flags } = readFlags(args, OPTIONS).values
  if (flags.stake !== undefined && !/^\d+(\.\d{1,18})?$/.test(flags.stake))
    throw new UsageError(`--stake ${flags.stake}: give an amount of AIC`)
  for (const [name, value] of Object.entries({
    '--stake': flags.stake,
    '--presale': flags.presale,
    '--pay aic': pay === 'aic' || undefined,
  }))
    if (value !== undefined && flags.origin !== undefined) throw new UsageError(`${name} works on a local stack only`)
  const everyTask = flags.model === undefined ? Object.values(TASKS) : [undefined]
  return {
    ...flags,
    tasks: task?.map(taskFlag) ?? everyTask,
    seed: seed === undefined ? undefined : integerFlag('--seed', seed, { min: 0 }),
    pay: choiceFlag('--pay', pay, ['usdc', 'aic']),
    out,
  }
}
