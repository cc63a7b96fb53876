import type { Hex } from 'viem'
import type { Callers } from './callers.ts'
import { type Payment, VALUE } from './payments.ts'
import { KEYS, type Process, type World } from './process.ts'
import type { Action } from './schedule.ts'
import { GWEI } from './token-chain.ts'

/** The objects that the actions of a schedule change. */
export interface Stage {
  world: World
  callers: Callers
  payments: readonly Payment[]
  foreign: Set<Payment>
  /** Payers that delegated to code. */
  delegators: Set<Hex>
  processOf(index: number): Process
  /** Ends a process, and starts another one in its place. */
  replace(owner: number): void
}

export async function act(stage: Stage, action: Action): Promise<void> {
  const { world, callers, payments, processOf } = stage
  const { engine, chain } = world
  switch (action.do) {
    case 'bring': {
      const chosen = Array.from({ length: action.count }, (_, index) => at(payments, action.payment + index))
      for (const payment of chosen) callers.bring(payment, processOf(action.process), action.isHeard)
      return
    }
    case 'fault':
      return engine.arm(action.op, action.kind)
    case 'advance':
      return engine.advance(action.ms)
    case 'kill':
      return kill(stage, action.process, action.reached)
    case 'reorganize':
      return chain.reorganize(action.forgets)
    case 'cancel':
      return onChain(stage, 'cancel', at(payments, action.payment))
    case 'front-run':
      return onChain(stage, 'submit', at(payments, action.payment))
    case 'delegate': {
      const { payer, nonce } = at(payments, action.payment)
      stage.delegators.add(payer)
      return chain.foreign('delegate', { payer, value: VALUE, nonce })
    }
    case 'no gas':
    case 'gas':
      return chain.setGasFunds(at(KEYS, action.key), action.do === 'gas' ? 10n ** 18n : 0n)
    case 'base fee':
      return chain.setBaseFee(BigInt(action.gwei) * GWEI)
    case 'stall':
    case 'resume':
      return chain.stall(action.do === 'stall')
    case 'old ones win':
      return chain.oldOnesWin()
    case 'forget mempool':
      return chain.forgetMempool()
    case 'steal':
      return processOf(action.process).steal(at(KEYS, action.key))
  }
}

async function kill({ world: { engine }, processOf, replace }: Stage, index: number, reached: number): Promise<void> {
  const { owner } = processOf(index)
  engine.note(`worker ${owner} is killed`)
  await engine.kill(owner, reached)
  replace(owner)
}

function onChain({ world, foreign }: Stage, what: 'cancel' | 'submit', payment: Payment): void {
  foreign.add(payment)
  world.chain.foreign(what, { payer: payment.payer, value: VALUE, nonce: payment.nonce })
}

/** The item at `index`, which wraps around. */
export function at<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length]
  if (item === undefined) throw new Error('an empty list')
  return item
}
