import type { SettleAnswer } from '../../../facilitator/settle/settle-answers.ts'
import type { Payment } from './payments.ts'
import type { Process, World } from './process.ts'

export interface Heard {
  /** The number of the last call whose answer this is. */
  call: number
  answer: SettleAnswer
  /** No other call of that payment was running: a refusal proves something only then. */
  isOnly: boolean
}

export type OnAnswer = (payment: Payment, answer: SettleAnswer) => void

/** The callers that bring payments to the processes, and the answers that they received. */
export function makeCallers({ engine, alive, mutant }: World, payments: readonly Payment[], onAnswer: OnAnswer) {
  const heard = new Map<Payment, Heard[]>()
  /** Calls of each payment so far. */
  const calls = new Map<Payment, number>()
  const running = new Set<{ payment: Payment; owner: number }>()

  async function bring(payment: Payment, process: Process, isHeard: boolean): Promise<void> {
    const call = (calls.get(payment) ?? 0) + 1
    calls.set(payment, call)
    const own = { payment, owner: process.owner }
    running.add(own)
    const { answer, release } = await process.settle(payment).finally(() => running.delete(own))
    if (isHeard) {
      engine.note(`payment ${payments.indexOf(payment)} hears ${JSON.stringify(answer)}`)
      const isOnly = ![...running].some((other) => other.payment === payment && alive.has(other.owner))
      if (isOnly || answer.success) onAnswer(payment, answer)
      heard.set(payment, [...(heard.get(payment) ?? []), { call, answer, isOnly }])
    }
    await release(isHeard || mutant.alwaysSent)
  }

  return {
    bring: (...args: Parameters<typeof bring>): void => void bring(...args).catch(() => undefined),
    /** Payments that were brought. */
    brought: (): Payment[] => [...calls.keys()],
    heardBy: (payment: Payment): readonly Heard[] => heard.get(payment) ?? [],
    /** The last answer, where it is that of the last call. */
    lastAnswer(payment: Payment): Heard | null {
      const last = heard.get(payment)?.at(-1)
      return last !== undefined && last.call === calls.get(payment) ? last : null
    },
  }
}

export type Callers = ReturnType<typeof makeCallers>
