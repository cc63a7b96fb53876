import { createEffect, createSignal } from 'solid-js'
import { isAddress } from 'viem'
import { formatAmount } from '../../../../protocol/money.ts'
import { AIC_DECIMALS, formatDecimal } from '../../../shared/money.ts'
import { walletFailure } from '../../../shared/wallet/errors.ts'
import type { Provider } from '../../../shared/wallet/provider.ts'
import { type AicContracts, type AicFigures, readAicAmount, readFigures } from '../lib/aic.ts'
import { type AicAction, type AicStep, moveAic } from '../lib/move-aic.ts'
import { messages, pageMessages, purchaseMessages } from '../messages/active.ts'
import { useApp } from './app-context.tsx'
import { createValue } from './create-value.ts'

const text = () => pageMessages.aic

export type AicState = ReturnType<typeof createAic>
type Owner = { provider: Provider; address: `0x${string}` }

/** The balance that each action takes from. */
const SOURCE = {
  stake: 'plain',
  wrap: 'plain',
  unstake: 'staked',
  unwrap: 'wrapped',
  withdraw: 'withdrawable',
} as const

interface Options {
  contracts: AicContracts
  sessionChain(): number
  /** Called with the figures of the chain each time they are read. */
  onFigures(figures: AicFigures): void
  onChanged(): void
}

/** The wallet's AIC, read from the chain, and the actions on it, one at a time. */
export function createAic({ contracts, sessionChain, onFigures, onChanged }: Options) {
  const app = useApp()
  const [isBusy, setBusy] = createSignal(false)
  const owner = (): Owner | null => {
    const wallet = app.identity.wallet()
    if (wallet === null || !isAddress(wallet.address)) return null
    return { provider: wallet.option.provider, address: wallet.address }
  }
  const figures = createValue(owner, ({ provider, address }) => readFigures(provider, contracts, address))
  createEffect(() => {
    const read = figures()
    if (read !== undefined) onFigures(read)
  })

  /** How much an action can move now. Null if the chain was not read. */
  const most = (action: AicAction): bigint | null => {
    const read = figures()
    if (read === undefined) return null
    return read[SOURCE[action]]
  }

  /** Does an action, and says each step. Returns true when it is done. */
  async function run(action: AicAction, amount: bigint, say: (words: string) => void): Promise<boolean> {
    const from = owner()
    if (from === null) {
      say(text().noWallet)
      return false
    }
    setBusy(true)
    try {
      // AIC is on the first chain of the deployment, whichever chain the session has.
      const chainId = (await app.servedChains())[0] ?? sessionChain()
      const call = { ...from, chainId, contracts, onStep: (step: AicStep) => say(text()[step]) }
      const end = await moveAic(call, action, amount)
      say(end === 'wrong_chain' ? purchaseMessages.notices.wrong_chain : text()[end])
      return end === 'done'
    } catch (error) {
      const { trouble, walletMessage } = walletFailure(error)
      say(trouble === 'rejected' ? text().rejected : text().failed(isHexBlob(walletMessage) ? '' : walletMessage))
      return false
    } finally {
      setBusy(false)
      figures.reload()
      onChanged()
    }
  }

  /** Reads the written amount and does the action, or says why not. */
  async function move(action: AicAction, written: string, say: (words: string) => void): Promise<boolean> {
    const amount = readAicAmount(written)
    const limit = most(action)
    if (amount === null) say(text().invalid)
    else if (limit !== null && amount > limit) say(text().tooMuch(inAic(limit)))
    else if (action === 'unstake' && figures()?.isFull === true) say(text().full)
    else return run(action, amount, say)
    return false
  }

  return { figures, isBusy, most, move, withdraw: (say: (words: string) => void) => run('withdraw', 0n, say) }
}

/** Every digit of an amount: `1,500.25 AIC`. */
export function inAic(atomic: bigint): string {
  return messages.common.aic(formatDecimal(formatAmount(atomic, AIC_DECIMALS), 0))
}

/** A revert's data instead of words. */
const isHexBlob = (words: string): boolean => /0x[0-9a-f]{8}/i.test(words)
