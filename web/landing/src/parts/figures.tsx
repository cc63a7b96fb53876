import { For, Show } from 'solid-js'
import { hardCapOf, leftIn, type Phase } from '../../../chain-reads/sale.ts'
import { shortHex } from '../../../src/lib/browser.ts'
import type { Terms } from '../chain/read-sale.ts'
import { aic, moment, percent, span, usdc } from '../format.ts'
import { messages } from '../messages/en.ts'
import { type Sale, stageOf } from '../model/sale.ts'
import { useSale } from '../sale-context.tsx'

const { figures, phases, latest, routes } = messages
const PERCENT = 100
const VAULTS = ['liquidity', 'dev', 'team', 'marketing'] as const

/** Price, rest and end of the phase on sale, and what was raised of the caps. */
export function SaleFigures(props: { sale: Sale }) {
  const { view } = useSale()
  const phase = (): Phase | undefined => {
    const stage = stageOf(props.sale, view.config.phaseId, view.now())
    return 'phase' in stage ? stage.phase : props.sale.phases.find(({ id }) => id === view.config.phaseId)
  }
  const most = (): bigint => hardCapOf(props.sale.phases)
  const share = (amount: bigint): number => (most() === 0n ? 0 : Number((amount * 10_000n) / most()) / PERCENT)
  return (
    <section aria-label={figures.label}>
      <dl class="tally">
        <Show when={phase()}>
          {(shown) => (
            <>
              <Figure label={figures.price} value={`${usdc(shown().price)} USDC`} />
              <Figure label={figures.left} value={`${aic(leftIn(shown()))} AIC`} />
              <Figure label={figures.ends} value={span(Math.max(0, shown().end - view.now()))} />
            </>
          )}
        </Show>
        <Figure label={figures.raised} value={`${usdc(props.sale.raised)} USDC`} />
      </dl>
      <div class="progress-caps" role="img" aria-label={`${figures.progress}: ${share(props.sale.raised)} %`}>
        <span class="progress-raised" style={{ 'inline-size': `${share(props.sale.raised)}%` }} />
        <span class="progress-soft" style={{ 'inset-inline-start': `${share(props.sale.softCap)}%` }} />
      </div>
      <p class="hint progress-words">
        <span>{figures.softCap(usdc(props.sale.softCap))}</span> <span>{figures.hardCap(usdc(most()))}</span>
      </p>
    </section>
  )
}

function Figure(props: { label: string; value: string }) {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd>{props.value}</dd>
    </div>
  )
}

/** All phases with their prices and caps. */
export function PriceList(props: { sale: Sale }) {
  return (
    <>
      <h2>{phases.title}</h2>
      <section class="table-frame" tabindex="0" aria-label={phases.title}>
        <table>
          <thead>
            <tr>
              <For
                each={[
                  phases.phase,
                  phases.price,
                  phases.amount,
                  phases.sold,
                  phases.starts,
                  phases.ends,
                  phases.walletCap,
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
                  <th scope="row">{phase.id}</th>
                  <td>{usdc(phase.price)}</td>
                  <td>{aic(phase.cap)}</td>
                  <td>{aic(phase.soldAic)}</td>
                  <td>{moment(phase.start)}</td>
                  <td>{moment(phase.end)}</td>
                  <td>{usdc(phase.walletCap)} USDC</td>
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
      <h2>{routes.title}</h2>
      <p>{routes.text}</p>
      <ul class="shares">
        <For each={props.terms.routes}>
          {({ bps }, index) => (
            <li>
              <span>{routes.vaults[VAULTS[index()] ?? 'liquidity']}</span>
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
  return (
    <>
      <h2>{latest.title}</h2>
      <Show when={view.purchases().length > 0} fallback={<p>{latest.none}</p>}>
        <section class="table-frame" tabindex="0" aria-label={latest.title}>
          <table>
            <thead>
              <tr>
                <For each={[latest.buyer, latest.usdc, latest.aic, latest.time]}>
                  {(title) => <th scope="col">{title}</th>}
                </For>
              </tr>
            </thead>
            <tbody>
              <For each={view.purchases()}>
                {(one) => (
                  <tr>
                    <th scope="row">{shortHex(one.buyer)}</th>
                    <td>{usdc(one.usdc)}</td>
                    <td>{aic(one.aic)}</td>
                    <td>{moment(one.time)}</td>
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
