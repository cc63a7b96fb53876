import { type Accessor, createEffect, createSignal } from 'solid-js'
import type { Hex } from 'viem'
import { LoadError } from '../../shared/load-code.ts'
import { walletTrouble, walletWords } from '../../shared/wallet/errors.ts'
import type { PayCall, PayEnd, PayStep } from './chain/pay.ts'
import type { SaleView } from './create-sale.ts'
import type { SaleWallet } from './create-wallet.ts'
import { messages } from './messages/active.ts'

export interface Action {
  /** What is asked or waited for; null when nothing runs. */
  step: Accessor<PayStep | null>
  /** The result of the last run, in words. */
  notice: Accessor<{ text: string; hash: Hex | null; isGood: boolean } | null>
  run(work: (pay: Pay, call: PayCall) => Promise<PayEnd>): Promise<void>
}

/** The code that makes transactions. It is loaded once a wallet is connected: the pages are shown without it. */
type Pay = typeof import('./chain/pay.ts')
const loadPay = (): Promise<Pay> => import('./chain/pay.ts')

/** One call of the wallet at a time, and what it came to. */
export function createAction({ wallet }: SaleWallet, view: SaleView, done: string): Action {
  const [step, setStep] = createSignal<PayStep | null>(null)
  const [notice, setNotice] = createSignal<ReturnType<Action['notice']>>(null)

  let isRunning = false
  // Safari opens a wallet's prompt only shortly after the press: nothing is left to load then. A press loads again what failed.
  createEffect(() => {
    if (wallet() !== null) loadPay().catch(() => undefined)
  })

  async function run(work: (pay: Pay, call: PayCall) => Promise<PayEnd>): Promise<void> {
    const connected = wallet()
    if (connected === null || isRunning) return
    isRunning = true
    setNotice(null)
    const { option, address } = connected
    let pay: Pay | null = null
    try {
      pay = await loadPay()
      setStep('prompt')
      const end = await work(pay, { provider: option.provider, address, config: view.config, onStep: setStep })
      setNotice({ text: end.at === 'done' ? done : messages.ends[end.at], hash: end.hash, isGood: end.at === 'done' })
    } catch (error) {
      setNotice({ text: wordsOf(error, pay?.refusalName(error) ?? null), hash: null, isGood: false })
    }
    await view.update()
    setStep(null)
    isRunning = false
  }
  return { step, notice, run }
}

/** One sentence about what a wallet or contract threw. `refusal` is the name of the contract's error. */
function wordsOf(error: unknown, refusal: string | null): string {
  if (error instanceof LoadError) return messages.partMissing
  if (refusal !== null) return isKnown(refusal) ? messages.refusals[refusal] : messages.refused(refusal)
  const trouble = walletTrouble(error)
  return trouble === 'other' ? messages.walletSaid(walletWords(error)) : messages.troubles[trouble]
}

const isKnown = (name: string): name is keyof typeof messages.refusals => Object.hasOwn(messages.refusals, name)
