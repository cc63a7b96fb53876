import { type Accessor, createSignal } from 'solid-js'
import type { Hex } from 'viem'
import { walletTrouble, walletWords } from '../../src/lib/wallet/errors.ts'
import type { PayCall, PayEnd, PayStep } from './chain/pay.ts'
import { refusalName } from './chain/refusal.ts'
import type { SaleView } from './create-sale.ts'
import type { SaleWallet } from './create-wallet.ts'
import { messages } from './messages/active.ts'

export interface Action {
  /** What is asked or waited for; null when nothing runs. */
  step: Accessor<PayStep | null>
  /** What the last run came to, in words. */
  notice: Accessor<{ text: string; hash: Hex | null; isGood: boolean } | null>
  run(work: (call: PayCall) => Promise<PayEnd>): Promise<void>
}

/** One call of the wallet at a time, and what it came to. */
export function createAction({ wallet }: SaleWallet, view: SaleView, done: string): Action {
  const [step, setStep] = createSignal<PayStep | null>(null)
  const [notice, setNotice] = createSignal<ReturnType<Action['notice']>>(null)

  async function run(work: (call: PayCall) => Promise<PayEnd>): Promise<void> {
    const connected = wallet()
    if (connected === null || step() !== null) return
    setNotice(null)
    setStep('prompt')
    const { option, address } = connected
    try {
      const end = await work({ provider: option.provider, address, config: view.config, onStep: setStep })
      setNotice({ text: end.at === 'done' ? done : messages.ends[end.at], hash: end.hash, isGood: end.at === 'done' })
    } catch (error) {
      setNotice({ text: wordsOf(error), hash: null, isGood: false })
    }
    await view.update()
    setStep(null)
  }
  return { step, notice, run }
}

/** One sentence about what a wallet or contract threw. */
function wordsOf(error: unknown): string {
  const refusal = refusalName(error)
  if (refusal !== null) return isKnown(refusal) ? messages.refusals[refusal] : messages.refused(refusal)
  const trouble = walletTrouble(error)
  return trouble === 'other' ? messages.walletSaid(walletWords(error)) : messages.troubles[trouble]
}

const isKnown = (name: string): name is keyof typeof messages.refusals => Object.hasOwn(messages.refusals, name)
