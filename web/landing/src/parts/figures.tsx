import { For, Show } from 'solid-js'
import { hardCapOf, leftIn, type Phase } from '../../../shared/chain-reads/sale.ts'
import { shortHex } from '../../../shared/wallet/provider.ts'
import type { Purchase } from '../chain/purchases.ts'
import type { Terms } from '../chain/read-sale.ts'
import { aic, moment, percent, span, usdc } from '../format.ts'
import { messages } from '../messages/active.ts'
import { phaseOnSale, type Sale } from '../model/sale.ts'
import { useSale } from '../sale-context.tsx'

/** Basis points. */
const ALL_BPS = 10_000n
const PERCENT = 100
const VAULTS = ['liquidity', 'dev', 'team', 'marketing'] as const

/** Price, rest and end of the phase on sale, and what was raised of the caps. */
export function SaleFigures(props: { sale: Sale }) {
  const { view } = useSale()
  const phase = (): Phase | null => phaseOnSale(props.sale, view.config.phaseId, view.now())
  const most = (): bigint => hardCapOf(props.sale.phases)
  /** Basis points of the most that the sale can raise. */
  const share = (amount: bigint): number => (most() === 0n ? 0 : Number((amount * ALL_BPS) / most()))
  return (
    <section aria-label={messages.figures.label}>
      <dl class="tally">
        <Show when={phase()}>
          {(shown) => (
            <>
              <Figure label={messages.figures.price} value={`${usdc(shown().price)} USDC`} />
              <Figure label={messages.figures.left} value={`${aic(leftIn(shown()))} AIC`} />
              <Show
                when={shown().start > view.now()}
                fallback={<Figure label={messages.figures.ends} value={span(Math.max(0, shown().end - view.now()))} />}
              >
                <Figure label={messages.figures.starts} value={span(shown().start - view.now())} />
              </Show>
            </>
          )}
        </Show>
        <Figure label={messages.figures.raised} value={`${usdc(props.sale.raised)} USDC`} />
      </dl>
      <div
        class="progress-caps"
        role="img"
        aria-label={`${messages.figures.progress}: ${percent(share(props.sale.raised))}`}
      >
        <span class="progress-raised" style={{ 'inline-size': `${share(props.sale.raised) / PERCENT}%` }} />
        <span class="progress-soft" style={{ 'inset-inline-start': `${share(props.sale.softCap) / PERCENT}%` }} />
      </div>
      <p class="hint progress-words">
        <span>{messages.figures.softCap(usdc(props.sale.softCap))}</span>{' '}
        <span>{messages.figures.hardCap(usdc(most()))}</span>
      </p>
    </section>
  )
}

function Figure(props: { label: string; value: string }) {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd>
        <bdi>{props.value}</bdi>
      </dd>
    </div>
  )
}

/** All phases with their prices and caps. On a phone each is a small list. */
export function PriceList(props: { sale: Sale }) {
  return (
    <>
      <h2>{messages.phases.title}</h2>
      <section class="table-frame" tabindex="0" aria-label={messages.phases.title}>
        <table class="table-rows">
          <thead>
            <tr>
              <For
                each={[
                  messages.phases.phase,
                  messages.phases.price,
                  messages.phases.amount,
                  messages.phases.sold,
                  messages.phases.starts,
                  messages.phases.ends,
                  messages.phases.walletCap,
                ]}
              >
                {(title) => <th scope="col">{title}</th>}
              </For>
            </tr>
          </thead>
          <tbody>
            <For each={props.sale.phases}>
              {(phase) => (
                <tr>
                  <th scope="row" data-label={messages.phases.phase}>
                    {phase.id}
                  </th>
                  <td data-label={messages.phases.price}>{usdc(phase.price)}</td>
                  <td data-label={messages.phases.amount}>{aic(phase.cap)}</td>
                  <td data-label={messages.phases.sold}>{aic(phase.soldAic)}</td>
                  <td data-label={messages.phases.starts}>{moment(phase.start)}</td>
                  <td data-label={messages.phases.ends}>{moment(phase.end)}</td>
                  <td data-label={messages.phases.walletCap}>
                    <bdi>{`${usdc(phase.walletCap)} USDC`}</bdi>
                  </td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </section>
    </>
  )
}

/** The shares of the raised USDC, as bars. */
export function Routes(props: { terms: Terms }) {
  return (
    <>
      <h2>{messages.routes.title}</h2>
      <p>{messages.routes.text}</p>
      <ul class="shares">
        <For each={props.terms.routes}>
          {({ bps }, index) => (
            <li>
              <span>{messages.routes.vaults[VAULTS[index()] ?? 'liquidity']}</span>
              <span class="figures">{percent(bps)}</span>
              <span class="share-bar" aria-hidden="true">
                <span style={{ 'inline-size': `${bps / PERCENT}%` }} />
              </span>
            </li>
          )}
        </For>
      </ul>
    </>
  )
}

/** The newest purchases. */
export function Latest() {
  const { view } = useSale()
  const purchases = (): readonly Purchase[] => {
    const found = view.purchases()
    return typeof found === 'string' ? [] : found
  }
  const instead = (): string => {
    const found = view.purchases()
    if (found === 'reading') return messages.loading
    return found === 'unread' ? messages.unread : messages.latest.none
  }
  return (
    <>
      <h2>{messages.latest.title}</h2>
      <Show when={purchases().length > 0} fallback={<p>{instead()}</p>}>
        <section class="table-frame" tabindex="0" aria-label={messages.latest.title}>
          <table class="table-rows">
            <thead>
              <tr>
                <For each={[messages.latest.buyer, messages.latest.usdc, messages.latest.aic, messages.latest.time]}>
                  {(title) => <th scope="col">{title}</th>}
                </For>
              </tr>
            </thead>
            <tbody>
              <For each={purchases()}>
                {(one) => (
                  <tr>
                    <th scope="row">{shortHex(one.buyer)}</th>
                    <td data-label={messages.latest.usdc}>{usdc(one.usdc)}</td>
                    <td data-label={messages.latest.aic}>{aic(one.aic)}</td>
                    <td data-label={messages.latest.time}>{moment(one.time)}</td>
                  </tr>
                )}
              </For>
            </tbody>
          </table>
        </section>
      </Show>
    </>
  )
}
