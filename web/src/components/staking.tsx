import { formatAmount, parseAmount } from '@coinslot/client/money'
import { createSignal, createUniqueId, Show } from 'solid-js'
import { isAddress } from 'viem'
import { AIC_DECIMALS, formatAic } from '../lib/money.ts'
import type { Account } from '../lib/records/account.ts'
import {
  leave,
  readLeaving,
  type StakeEnd,
  type StakeStep,
  type StakingContracts,
  stake,
  stakingContracts,
} from '../lib/staking.ts'
import { formatMoment } from '../lib/time.ts'
import type { Provider } from '../lib/wallet/provider.ts'
import { messages } from '../messages/en.ts'
import { useApp } from '../primitives/app-context.tsx'
import { refusalOf } from '../primitives/create-identity.ts'
import { createValue } from '../primitives/create-value.ts'

const text = messages.account.stake

interface Props {
  account: Account
  onChanged(): void
}

/** Stake, take out, withdraw; nothing at all where no staking contract is configured. */
export default function Staking(props: Props) {
  const contracts = createValue(() => true, stakingContracts)
  return <Show when={contracts()}>{(found) => <Desk {...props} contracts={found()} />}</Show>
}

type Owner = { provider: Provider; address: `0x${string}` }

function Desk(props: Props & { contracts: StakingContracts }) {
  const app = useApp()
  const id = createUniqueId()
  const [amount, setAmount] = createSignal('')
  const [busy, setBusy] = createSignal(false)
  const [said, setSaid] = createSignal('')

  const owner = (): Owner | null => {
    const wallet = app.identity.wallet()
    return wallet !== null && isAddress(wallet.address)
      ? { provider: wallet.option.provider, address: wallet.address }
      : null
  }
  const leaving = createValue(owner, ({ provider, address }) => readLeaving(provider, props.contracts, address))

  const run = async (work: (who: Owner, onStep: (step: StakeStep) => void) => Promise<StakeEnd>): Promise<void> => {
    const who = owner()
    if (who === null) return void setSaid(text.noWallet)
    setBusy(true)
    try {
      const end = await work(who, (step) => setSaid(text[step]))
      setSaid(end === 'done' ? text.done : end === 'reverted' ? text.reverted : messages.notices.wrong_chain)
      if (end === 'done') setAmount('')
    } catch (error) {
      const { trouble, said: why } = refusalOf(error)
      setSaid(trouble === 'rejected' ? messages.wallet.rejected : messages.wallet.failed(why))
    }
    setBusy(false)
    leaving.reload()
    props.onChanged()
  }
  const withAmount = (
    work: (who: Owner, value: bigint, onStep: (step: StakeStep) => void) => Promise<StakeEnd>,
  ): void => {
    const value = readAmount(amount())
    if (value === null) setSaid(text.bad)
    else void run((who, onStep) => work(who, value, onStep))
  }
  const { contracts } = props
  // AIC lives on the first chain of the deployment, whichever one the session is on.
  const chainId = async (): Promise<number> => (await app.servedChains())[0] ?? props.account.chainId

  return (
    <section class="stake">
      <h2>{text.title}</h2>
      <p>{text.intro}</p>
      <form class="stake-form" onSubmit={(event) => event.preventDefault()}>
        <label for={id}>{text.amount}</label>
        <input
          id={id}
          type="text"
          inputmode="decimal"
          autocomplete="off"
          value={amount()}
          onInput={(event) => setAmount(event.currentTarget.value)}
        />
        <div class="actions">
          <button
            type="button"
            class="button"
            disabled={busy()}
            onClick={() =>
              withAmount(async (who, value, onStep) =>
                stake(who.provider, await chainId(), contracts, who.address, value, onStep),
              )
            }
          >
            {text.stake}
          </button>
          <button
            type="button"
            class="button button-quiet"
            disabled={busy()}
            onClick={() =>
              withAmount(async (who, value, onStep) =>
                leave(who.provider, await chainId(), contracts, who.address, value, onStep),
              )
            }
          >
            {text.unstake}
          </button>
        </div>
      </form>
      <p class="dialog-notice" role="status">
        {said()}
      </p>
      <Show when={leaving()}>
        {(out) => (
          <>
            <Show when={out().readyAt}>
              {(when) => <p>{text.pending(inAic(out().pending), formatMoment(when().toISOString()))}</p>}
            </Show>
            <Show when={out().withdrawable > 0n}>
              <p>{text.ready(inAic(out().withdrawable))}</p>
              <button
                type="button"
                class="button"
                disabled={busy()}
                onClick={() =>
                  void run(async (who, onStep) =>
                    leave(who.provider, await chainId(), contracts, who.address, null, onStep),
                  )
                }
              >
                {text.withdraw}
              </button>
            </Show>
          </>
        )}
      </Show>
    </section>
  )
}

function inAic(amount: bigint): string {
  return formatAic(formatAmount(amount, AIC_DECIMALS))
}

/** An amount of AIC above zero in atomic units, or null where it is none. */
function readAmount(written: string): bigint | null {
  try {
    const value = parseAmount(written.trim().replaceAll(',', ''), AIC_DECIMALS)
    return value > 0n ? value : null
  } catch {
    return null
  }
}
