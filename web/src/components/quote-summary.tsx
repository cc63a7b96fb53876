import type { Offer } from '@coinslot/client/buyer'
import { formatAmount, parseAmount, USDC_DECIMALS } from '@coinslot/client/money'
import { createSignal, For, Show } from 'solid-js'
import { getJson } from '../lib/api.ts'
import { askFaucet, DEV_CHAIN } from '../lib/dev-chain.ts'
import { formatDecimal } from '../lib/money.ts'
import { decimalsOf, offerOf, symbolOf } from '../lib/purchase/offer.ts'
import type { Purchase } from '../lib/purchase/states.ts'
import { readAccount } from '../lib/records/account.ts'
import { formatClock } from '../lib/time.ts'
import { balanceIn } from '../lib/wallet/balance.ts'
import { networkOf } from '../lib/wallet/networks.ts'
import { messages } from '../messages/en.ts'
import { purchaseMessages } from '../messages/en-purchase.ts'
import { useApp } from '../primitives/app-context.tsx'
import { createValue } from '../primitives/create-value.ts'
import { CopyButton } from './copy-button.tsx'

type State = Extract<Purchase, { at: 'review' | 'signing' }>

/** What the wallet will sign, as text. All of it is read from the value that is signed. */
export function QuoteSelection(props: { state: State; onCancel(): void }) {
  const app = useApp()
  const offer = (): Offer => offerOf(props.state.selection)
  const amount = (): string => priceOf(offer())
  const signing = () => (props.state.at === 'signing' ? props.state : null)
  const balance = createValue(offer, (chosen) => readPayerBalance(app, chosen))
  const missing = (): bigint => {
    const held = balance()
    return held === undefined || held === null ? 0n : offer().amount - held
  }
  const moved = (): boolean =>
    symbolOf(offer()) === 'USDC' && parseAmount(props.state.draft.shownUsdc, USDC_DECIMALS) !== offer().amount

  return (
    <>
      <h2 id="payment-dialog-title">{purchaseMessages.payment.title}</h2>
      <p class="quote-amount">
        <span class="figures">{amountOf(offer(), offer().amount)}</span> {symbolOf(offer())}
      </p>
      <Show when={moved()}>
        <p class="quote-note">
          {purchaseMessages.payment.moved(
            formatDecimal(props.state.draft.shownUsdc),
            amountOf(offer(), offer().amount),
          )}
        </p>
      </Show>
      <Show when={props.state.selection.quote.offers.length > 1}>
        <AssetChoice state={props.state} />
      </Show>
      <Lines state={props.state} offer={offer()} />
      <Funds offer={offer()} balance={balance() ?? null} missing={missing()} onCheck={() => balance.reload()} />
      <p class="dialog-notice" role="status">
        {props.state.at === 'review' && props.state.notice !== null ? messages.notices[props.state.notice] : ''}
      </p>
      <div class="actions">
        <button
          type="button"
          class="button button-pay"
          data-first
          disabled={signing() !== null || missing() > 0n}
          onClick={() => void app.buy((actions) => actions.sign())}
        >
          <Show when={signing()} fallback={purchaseMessages.payment.sign(amount())}>
            {(now) =>
              now().step === 'chain'
                ? purchaseMessages.payment.chain(networkOf(offer().chainId).name)
                : purchaseMessages.payment.signing
            }
          </Show>
        </button>
        <button type="button" class="button button-quiet" onClick={() => props.onCancel()}>
          {messages.common.cancel}
        </button>
      </div>
      <p class="quote-fine">{purchaseMessages.payment.terms}</p>
    </>
  )
}

/** An amount of the offer's token, formatted. */
function amountOf(offer: Offer, atomic: bigint): string {
  return formatDecimal(formatAmount(atomic, decimalsOf(offer)))
}

function priceOf(offer: Offer): string {
  return messages.common.money(amountOf(offer, offer.amount), symbolOf(offer))
}

/** The balance from the wallet's node, else from the server if the session is on that chain. Null if neither has it. */
async function readPayerBalance(app: ReturnType<typeof useApp>, offer: Offer): Promise<bigint | null> {
  const wallet = app.identity.wallet()
  if (wallet === null) return null
  const own = await balanceIn(wallet.option.provider, offer, wallet.address)
  if (own !== null) return own
  const account = await getJson('/api/account', readAccount).catch(() => null)
  if (account === null || account.chainId !== offer.chainId) return null
  const known = symbolOf(offer) === 'AIC' ? account.balances.aic : account.balances.usdc
  return known === null ? null : parseAmount(known, decimalsOf(offer))
}

function AssetChoice(props: { state: State }) {
  const app = useApp()
  return (
    <fieldset class="assets" disabled={props.state.at === 'signing'}>
      <legend>{purchaseMessages.payment.asset}</legend>
      <For each={props.state.selection.quote.offers}>
        {(offer, index) => (
          <label class="asset">
            <input
              type="radio"
              name="asset"
              checked={index() === props.state.selection.chosen}
              onChange={() => void app.buy((actions) => actions.choose(index()))}
            />
            <span class="figures">{priceOf(offer)}</span>
            <small>{networkOf(offer.chainId).name}</small>
          </label>
        )}
      </For>
    </fieldset>
  )
}

function Lines(props: { state: State; offer: Offer }) {
  return (
    <dl class="quote-lines">
      <div>
        <dt>{purchaseMessages.payment.model}</dt>
        <dd>{props.state.draft.modelName}</dd>
      </div>
      <div>
        <dt>{purchaseMessages.payment.to}</dt>
        <dd class="figures quote-address">
          {props.offer.payTo}
          <CopyButton text={props.offer.payTo} what={purchaseMessages.payment.to} />
        </dd>
      </div>
      <div>
        <dt>{purchaseMessages.payment.network}</dt>
        <dd>{networkOf(props.offer.chainId).name}</dd>
      </div>
      <div>
        <dt>{purchaseMessages.payment.validUntil}</dt>
        <dd class="figures">{formatClock(new Date(props.state.selection.quote.validBefore * 1000))}</dd>
      </div>
      <div>
        <dt>{purchaseMessages.payment.gas}</dt>
        <dd>{purchaseMessages.payment.noGas}</dd>
      </div>
    </dl>
  )
}

function Funds(props: { offer: Offer; balance: bigint | null; missing: bigint; onCheck(): void }) {
  const app = useApp()
  const [filling, setFilling] = createSignal(false)
  const shown = (amount: bigint): string => messages.common.money(amountOf(props.offer, amount), symbolOf(props.offer))
  const fill = async (): Promise<void> => {
    const address = app.identity.wallet()?.address
    if (address === undefined) return
    setFilling(true)
    await askFaucet(address).catch((cause: unknown) => console.warn('coinslot: no faucet', cause))
    setFilling(false)
    props.onCheck()
  }
  return (
    <Show when={props.balance === null ? null : { amount: props.balance }}>
      {(known) => (
        <Show
          when={props.missing > 0n}
          fallback={<p class="quote-balance">{purchaseMessages.payment.balance(shown(known().amount))}</p>}
        >
          <div class="quote-short" role="alert">
            <p>{purchaseMessages.payment.short(shown(props.missing), symbolOf(props.offer))}</p>
            <div class="actions">
              <Show when={DEV_CHAIN && symbolOf(props.offer) === 'USDC'}>
                <button type="button" class="button" disabled={filling()} onClick={() => void fill()}>
                  {filling() ? purchaseMessages.payment.faucetBusy : purchaseMessages.payment.faucet}
                </button>
              </Show>
              <button type="button" class="button button-quiet" onClick={() => props.onCheck()}>
                {purchaseMessages.payment.checkAgain}
              </button>
            </div>
          </div>
        </Show>
      )}
    </Show>
  )
}
