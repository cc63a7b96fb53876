import { createMemo, createSignal, Show } from 'solid-js'
import { USDC_DECIMALS } from '../../../../protocol/money.ts'
import { leftIn, type Phase } from '../../../shared/chain-reads/sale.ts'
import { askFaucet } from '../../../shared/dev-chain.ts'
import { writeAmount } from '../../../shared/money.ts'
import { DEV_CHAIN } from '../../../shared/wallet/provider.ts'
import { createAction } from '../create-action.ts'
import { aic, usdc } from '../format.ts'
import { messages } from '../messages/active.ts'
import { type Entry, leftForWallet, mostFor, readEntry } from '../model/entry.ts'
import { useSale } from '../sale-context.tsx'
import { ActionNotice } from './action-part.tsx'

/** The form: USDC in, AIC out. It offers nothing that the contract would refuse. */
export function BuyForm(props: { phase: Phase }) {
  const { wallet, view } = useSale()
  const [written, setWritten] = createSignal('')
  const action = createAction(wallet, view, messages.form.done)
  const least = (): bigint => view.sale()?.minPurchase ?? 0n
  const entry = createMemo(() => readEntry(written(), props.phase, view.own(), least()))
  const most = createMemo(() => mostFor(props.phase, view.own(), least()))
  const buy = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const now = entry()
    const { id } = props.phase
    if (now.at !== 'good') return
    await action.run(async (pay, call) => {
      const end = await pay.buyAic(call, { phaseId: id, usdc: now.usdc, aic: now.aic })
      // Before the words that it is done: what the person writes after them stays.
      if (end.at === 'done') setWritten('')
      return end
    })
  }
  return (
    <form class="buy-form" onSubmit={(event) => void buy(event)}>
      <label for="usdc">{messages.form.usdc}</label>
      <input
        id="usdc"
        type="text"
        inputmode="decimal"
        autocomplete="off"
        value={written()}
        aria-describedby="gets balance"
        aria-invalid={entry().at === 'fault'}
        onInput={(event) => setWritten(event.currentTarget.value)}
      />
      <p id="gets" class={entry().at === 'fault' ? 'field-error' : 'gets'} aria-live="polite">
        <Outcome entry={entry()} phase={props.phase} />
      </p>
      <p id="balance" class="hint">
        <Show when={view.own()}>{(own) => <>{messages.form.balance(usdc(own().usdc))}</>}</Show>{' '}
        {messages.form.left(usdc(most()))}
      </p>
      <div class="actions">
        <button type="submit" class="button" disabled={entry().at !== 'good' || action.step() !== null}>
          {messages.form.buy}
        </button>
        <button
          type="button"
          class="button button-quiet"
          disabled={most() === 0n}
          onClick={() => setWritten(writeAmount(most(), USDC_DECIMALS))}
        >
          {messages.form.most}
        </button>
        <Faucet />
      </div>
      <p class="hint">{messages.form.gas}</p>
      <NodeTrouble />
      <ActionNotice action={action} />
    </form>
  )
}

function NodeTrouble() {
  const { view } = useSale()
  return (
    <Show when={view.isUnreachable()}>
      <p class="field-error">{messages.unreachable}</p>
    </Show>
  )
}

/** The AIC that the amount buys, or why it buys nothing. */
function Outcome(props: { entry: Entry; phase: Phase }) {
  const { view } = useSale()
  const words = (): string => {
    const { entry, phase } = props
    const own = view.own()
    if (entry.at === 'empty') return ''
    if (entry.at === 'good') return `${messages.form.gets} ${messages.form.aic(aic(entry.aic))}`
    switch (entry.fault) {
      case 'malformed':
        return messages.faults.malformed
      case 'too_small':
        return messages.faults.too_small(usdc(view.sale()?.minPurchase ?? 0n))
      case 'over_wallet_cap':
        return messages.faults.over_wallet_cap(usdc(own === null ? phase.walletCap : leftForWallet(phase, own)))
      case 'over_phase':
        return messages.faults.over_phase(aic(leftIn(phase)))
      case 'over_balance':
        return messages.faults.over_balance(usdc(own?.usdc ?? 0n))
    }
  }
  return <>{words()}</>
}

/** Play money on the local chain. */
function Faucet() {
  const { wallet, view } = useSale()
  const ask = async (): Promise<void> => {
    const address = wallet.wallet()?.address
    if (address === undefined) return
    await askFaucet(address)
    await view.update()
  }
  return (
    <Show when={DEV_CHAIN && wallet.wallet()}>
      <button type="button" class="button button-quiet" onClick={() => void ask()}>
        {messages.form.faucet}
      </button>
    </Show>
  )
}
