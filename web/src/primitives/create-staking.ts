import { parseAmount } from '@coinslot/client/money'
import { createSignal } from 'solid-js'
import { isAddress } from 'viem'
import { AIC_DECIMALS } from '../lib/money.ts'
import { readUnstaking, type StakeCall, type StakingContracts, stake, unstake, withdraw } from '../lib/staking.ts'
import type { Provider } from '../lib/wallet/provider.ts'
import { messages } from '../messages/en.ts'
import { pageMessages } from '../messages/en-pages.ts'
import { useApp } from './app-context.tsx'
import { walletFailure } from './create-identity.ts'
import { createValue } from './create-value.ts'

const text = pageMessages.stake

type Owner = { provider: Provider; address: `0x${string}` }

/** The calls of the staking form, one at a time, with what to say about them. */
export function createStaking(contracts: StakingContracts, sessionChain: () => number, onChanged: () => void) {
  const app = useApp()
  const [amount, setAmount] = createSignal('')
  const [isBusy, setBusy] = createSignal(false)
  const [notice, setNotice] = createSignal('')

  const owner = (): Owner | null => {
    const wallet = app.identity.wallet()
    if (wallet === null || !isAddress(wallet.address)) return null
    return { provider: wallet.option.provider, address: wallet.address }
  }
  const unstaking = createValue(owner, ({ provider, address }) => readUnstaking(provider, contracts, address))

  async function run(send: (call: StakeCall) => ReturnType<typeof withdraw>): Promise<void> {
    const from = owner()
    if (from === null) return void setNotice(text.noWallet)
    setBusy(true)
    try {
      // AIC is on the first chain of the deployment, whichever chain the session has.
      const chainId = (await app.servedChains())[0] ?? sessionChain()
      const end = await send({ ...from, chainId, contracts, onStep: (step) => setNotice(text[step]) })
      setNotice(end === 'wrong_chain' ? messages.notices.wrong_chain : text[end])
      if (end === 'done') setAmount('')
    } catch (error) {
      const { trouble, said } = walletFailure(error)
      setNotice(trouble === 'rejected' ? text.rejected : text.failed(said))
    }
    setBusy(false)
    unstaking.reload()
    onChanged()
  }
  async function runWithAmount(send: typeof stake): Promise<void> {
    const value = readAmount(amount())
    if (value === null) setNotice(text.invalid)
    else await run((call) => send(call, value))
  }

  return {
    amount,
    setAmount,
    isBusy,
    notice,
    unstaking,
    stake: () => void runWithAmount(stake),
    unstake: () => void runWithAmount(unstake),
    withdraw: () => void run(withdraw),
  }
}

/** An amount of AIC above zero in atomic units, or null. A comma is refused: people write `1,5` and `1,500`. */
function readAmount(written: string): bigint | null {
  try {
    const value = parseAmount(written.trim(), AIC_DECIMALS)
    return value > 0n ? value : null
  } catch {
    return null
  }
}
