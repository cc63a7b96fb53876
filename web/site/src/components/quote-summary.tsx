import type { Offer } from '@coinslot/client/buyer'
import { excerptOf } from '@coinslot/client/excerpt'
import { For, Show } from 'solid-js'
import { formatAmount, parseAmount, USDC_DECIMALS } from '../../../../protocol/money.ts'
import { CopyButton } from '../../../shared/copy-button.tsx'
import { approximatePrice, formatDecimal } from '../../../shared/money.ts'
import { formatClock } from '../../../shared/time.ts'
import { balanceIn } from '../../../shared/wallet/balance.ts'
import { currentChain } from '../../../shared/wallet/chain.ts'
import { networkOf } from '../../../shared/wallet/networks.ts'
import { getJson } from '../lib/api.ts'
import { decimalsOf, nameOf, offerOf, symbolOf } from '../lib/purchase/offer.ts'
import type { Purchase } from '../lib/purchase/states.ts'
import { readAccount } from '../lib/records/account.ts'
import { promptIn } from '../lib/records/inference.ts'
import { messages, purchaseMessages } from '../messages/active.ts'
import { walletWords } from '../messages/load.ts'
import { useApp } from '../primitives/app-context.tsx'
import { createValue } from '../primitives/create-value.ts'
import { lazyPart } from '../primitives/lazy-part.ts'
import { LazyPlace } from './lazy-place.tsx'
import { Steps } from './purchase-steps.tsx'
import { noticeText } from './wallet-list.tsx'

const AddFunds = lazyPart(() => import('./add-funds.tsx'), walletWords)

type State = Extract<Purchase, { at: 'review' | 'signing' }>

/** What the wallet will sign, as text. All of it is read from the value that is signed. */
export function QuoteSelection(props: { state: State; onCancel(): void }) {
  const app = useApp()
  const offer = (): Offer => offerOf(props.state.selection)
  const amount = (): string => priceOf(offer())
  const balance = createValue(offer, (chosen) => readPayerBalance(app, chosen))
  const missing = (): bigint => {
    const held = balance()
    return held === undefined || held === null ? 0n : offer().amount - held
  }
  /** Only a price that rose needs a word: a staking discount makes it lower. */
  const rose = (): boolean =>
    symbolOf(offer()) === 'USDC' && parseAmount(props.state.draft.shownUsdc, USDC_DECIMALS) < offer().amount

  return (
    <>
      <Steps now={2} />
      <h2 id="payment-dialog-title">{purchaseMessages.payment.title}</h2>
      <p class="quote-amount">
        <Show when={symbolOf(offer()) === 'USDC'} fallback={<span class="figures">{amount()}</span>}>
          <span class="figures">{approximatePrice(formatAmount(offer().amount, USDC_DECIMALS))}</span>{' '}
          <span>{amount()}</span>
        </Show>
      </p>
      <p class="quote-for">
        <small>{props.state.draft.modelName}</small>{' '}
        <span dir="auto">{excerptOf(promptIn(props.state.draft.input), EXCERPT_LENGTH)}</span>
      </p>
      <Show when={rose()}>
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
      <Funds offer={offer()} balance={balance() ?? null} missing={missing()} onCheck={() => balance.reload()} />
      <Details state={props.state} offer={offer()} />
      <SheetEnd state={props.state} offer={offer()} isShort={missing() > 0n} onCancel={props.onCancel} />
    </>
  )
}

const EXCERPT_LENGTH = 90

interface EndProps {
  state: State
  offer: Offer
  /** The balance is too small. */
  isShort: boolean
  onCancel(): void
}

/** The notice, the two buttons and the terms. They stay in sight. */
function SheetEnd(props: EndProps) {
  const app = useApp()
  const label = (): string => {
    if (props.state.at !== 'signing') return purchaseMessages.payment.sign(priceOf(props.offer))
    return props.state.step === 'chain'
      ? purchaseMessages.payment.chain(networkOf(props.offer.chainId).name)
      : purchaseMessages.payment.signing
  }
  return (
    <div class="sheet-end">
      <p class="dialog-notice" role="status">
        {props.state.at === 'review' ? noticeText(props.state.notice, props.state.walletMessage) : ''}
      </p>
      <div class="actions">
        <button
          type="button"
          class="button button-pay"
          data-first
          disabled={props.state.at === 'signing' || props.isShort}
          onClick={() => void app.buy((actions) => actions.sign())}
        >
          {label()}
        </button>
        <button type="button" class="button button-quiet" onClick={() => props.onCancel()}>
          {messages.common.cancel}
        </button>
      </div>
      <p class="quote-fine">{purchaseMessages.payment.terms}</p>
    </div>
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
            <span class="figures">{messages.common.money(amountOf(offer, offer.amount), nameOf(offer))}</span>
            <small>{networkOf(offer.chainId).name}</small>
          </label>
        )}
      </For>
    </fieldset>
  )
}

/** Receiver, network, validity and gas, folded. If the wallet is on another network, that is said before. */
function Details(props: { state: State; offer: Offer }) {
  const app = useApp()
  const network = (): string => networkOf(props.offer.chainId).name
  const onChain = createValue(
    () => app.identity.wallet(),
    ({ option }) => currentChain(option.provider),
  )
  return (
    <>
      <Show when={(onChain() ?? props.offer.chainId) !== props.offer.chainId}>
        <p class="quote-note">{purchaseMessages.payment.otherChain(network())}</p>
      </Show>
      <details class="quote-details">
        <summary>{purchaseMessages.payment.details(network())}</summary>
        <dl class="quote-lines">
          <div>
            <dt>{purchaseMessages.payment.to}</dt>
            <dd class="figures quote-address">
              {props.offer.payTo}
              <CopyButton text={props.offer.payTo} what={purchaseMessages.payment.to} />
            </dd>
          </div>
          <div>
            <dt>{purchaseMessages.payment.network}</dt>
            <dd>{network()}</dd>
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
      </details>
    </>
  )
}

interface FundsProps {
  offer: Offer
  balance: bigint | null
  missing: bigint
  onCheck(): void
}

/** The balance after the payment, or what is missing and how to get it. */
function Funds(props: FundsProps) {
  const shown = (amount: bigint): string => messages.common.money(amountOf(props.offer, amount), nameOf(props.offer))
  return (
    <Show when={props.balance === null ? null : { amount: props.balance }}>
      {(known) => (
        <Show
          when={props.missing > 0n}
          fallback={
            <p class="quote-balance">
              {purchaseMessages.payment.balance(shown(known().amount), shown(known().amount - props.offer.amount))}
            </p>
          }
        >
          <LazyPlace placeholder={<p class="quote-short">{purchaseMessages.payment.short(shown(props.missing))}</p>}>
            <AddFunds offer={props.offer} missing={shown(props.missing)} onCheck={props.onCheck} />
          </LazyPlace>
        </Show>
      )}
    </Show>
  )
}
