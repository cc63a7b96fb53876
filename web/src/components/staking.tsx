import { formatAmount } from '@coinslot/client/money'
import { createUniqueId, Show } from 'solid-js'
import { AIC_DECIMALS, formatAic } from '../lib/money.ts'
import type { Account } from '../lib/records/account.ts'
import { type StakingContracts, stakingContracts, type Unstaking } from '../lib/staking.ts'
import { formatMoment } from '../lib/time.ts'
import { pageMessages } from '../messages/en-pages.ts'
import { createStaking } from '../primitives/create-staking.ts'
import { createValue } from '../primitives/create-value.ts'

const text = pageMessages.stake

interface Props {
  account: Account
  onChanged(): void
}

/** Stake, unstake and withdraw. Shows nothing if no staking contract is configured. */
export default function Staking(props: Props) {
  const contracts = createValue(() => true, stakingContracts)
  return <Show when={contracts()}>{(found) => <StakingForm {...props} contracts={found()} />}</Show>
}

function StakingForm(props: Props & { contracts: StakingContracts }) {
  const id = createUniqueId()
  const staking = createStaking(
    props.contracts,
    () => props.account.chainId,
    () => props.onChanged(),
  )
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
          value={staking.amount()}
          onInput={(event) => staking.setAmount(event.currentTarget.value)}
        />
        <div class="actions">
          <button type="button" class="button" disabled={staking.isBusy()} onClick={staking.stake}>
            {text.stake}
          </button>
          <button type="button" class="button button-quiet" disabled={staking.isBusy()} onClick={staking.unstake}>
            {text.unstake}
          </button>
        </div>
      </form>
      <p class="dialog-notice" role="status">
        {staking.notice()}
      </p>
      <Show when={staking.unstaking()}>
        {(amounts) => <Withdrawal amounts={amounts()} isBusy={staking.isBusy()} onWithdraw={staking.withdraw} />}
      </Show>
    </section>
  )
}

function Withdrawal(props: { amounts: Unstaking; isBusy: boolean; onWithdraw(): void }) {
  return (
    <>
      <Show when={props.amounts.readyAt}>
        {(when) => <p>{text.pending(inAic(props.amounts.pending), formatMoment(when().toISOString()))}</p>}
      </Show>
      <Show when={props.amounts.withdrawable > 0n}>
        <p>{text.ready(inAic(props.amounts.withdrawable))}</p>
        <button type="button" class="button" disabled={props.isBusy} onClick={() => props.onWithdraw()}>
          {text.withdraw}
        </button>
      </Show>
    </>
  )
}

function inAic(amount: bigint): string {
  return formatAic(formatAmount(amount, AIC_DECIMALS))
}
