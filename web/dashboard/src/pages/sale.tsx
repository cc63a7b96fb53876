import { createMemo, Show } from 'solid-js'
import { hardCapOf } from '../../../shared/chain-reads/sale.ts'
import { BarChart } from '../charts/bar-chart.tsx'
import { colourOf } from '../charts/chart-frame.tsx'
import { Meter } from '../charts/meter.tsx'
import { largest, sumOf } from '../charts/scale.ts'
import { useDashboard } from '../create-dashboard.ts'
import { aic, compactUsdc, duration, moment, number, pauseLeft, percent, usdc, wholeAic, wholeUsdc } from '../format.ts'
import { messages, pageMessages } from '../messages.ts'
import { buyersOf, type Purchase, purchasesOf, raisedByDay, refunded } from '../model/purchases.ts'
import { DataTable } from '../parts/data-table.tsx'
import { Dates } from '../parts/dates.tsx'
import { AddressLink } from '../parts/links.tsx'
import { PurchaseList } from '../parts/purchase-list.tsx'
import { type Figure, Tally, Unread } from '../parts/tally.tsx'
import type { RaisedPhase, SaleState } from '../reads/state.ts'

const words = () => pageMessages.sale
const TOP_WALLETS = 10

/** The state of the sale, its phases, what came in and from whom. */
export function Sale() {
  const { sale, events, now, today } = useDashboard()
  const purchases = createMemo(() => purchasesOf(events()))
  const buyers = createMemo(() => buyersOf(events()))
  const paidBack = createMemo(() => refunded(events()))
  return (
    <>
      <h1>{words().title}</h1>
      <p class="lead">{words().lead}</p>
      <Tally figures={headline(sale(), buyers().length, purchases().length, now())} />
      <Show when={sale()} fallback={<Unread />}>
        {(known) => (
          <>
            <Caps sale={known()} />
            <Show when={paidBack() > 0n}>
              <p class="as-of">{words().refunds(messages.usdc(usdc(paidBack())))}</p>
            </Show>
            <h2>{words().phases}</h2>
            <Phases sale={known()} />
            <Raised purchases={purchases()} phases={known().phases.length} until={today()} />
          </>
        )}
      </Show>
      <h2>{words().dates}</h2>
      <Dates />
      <Largest buyers={buyers()} raised={sale()?.raised ?? 0n} />
      <h2>{words().list}</h2>
      <PurchaseList purchases={purchases()} />
    </>
  )
}

function headline(sale: SaleState | null, buyers: number, purchases: number, now: number): Figure[] {
  const open = sale?.phases.find(({ start, end }) => start <= now && now < end)
  const next = sale?.phases.find(({ start }) => start > now)
  const isOver = sale?.name === 'finalized' || sale?.name === 'cancelled'
  const clock = isOver ? undefined : (open?.end ?? next?.start)
  return [
    { name: words().state, value: sale && words().states[sale.name] },
    { name: words().raised, value: sale && wholeUsdc(sale.raised), note: 'USDC' },
    { name: words().sold, value: sale && wholeAic(sale.sold), note: 'AIC' },
    { name: words().buyers, value: number(buyers) },
    { name: words().purchases, value: number(purchases) },
    ...(clock === undefined
      ? []
      : [{ name: open ? words().timeLeft : words().startsIn, value: duration(clock - now), note: moment(clock) }]),
    ...(isOver ? [] : [{ name: words().pauseLeft, value: sale && pauseLeft(sale.pausedSeconds) }]),
  ]
}

function Caps(props: { sale: SaleState }) {
  const hard = () => hardCapOf(props.sale.phases)
  const soft = () => wholeUsdc(props.sale.softCap)
  return (
    <figure class="caps">
      <Meter
        parts={props.sale.phases.map(({ soldUsdc }, index) => ({ amount: soldUsdc, colour: colourOf(index) }))}
        whole={hard()}
        mark={props.sale.softCap}
        label={words().progressAlt(wholeUsdc(props.sale.raised), soft(), wholeUsdc(hard()))}
      />
      <figcaption class="caps-words figures">
        <span>
          {(props.sale.raised >= props.sale.softCap ? words().softReached : words().softCap)(messages.usdc(soft()))}
        </span>
        <span>
          {words().hardCap(messages.usdc(wholeUsdc(hard())))} · {percent(props.sale.raised, hard())}
        </span>
      </figcaption>
    </figure>
  )
}

function Phases(props: { sale: SaleState }) {
  return (
    <DataTable<RaisedPhase>
      label={words().phases}
      rows={props.sale.phases}
      columns={[
        { heading: words().phase, cell: ({ id }) => <PhaseName id={id} /> },
        { heading: words().price, cell: ({ price }) => usdc(price) },
        { heading: words().soldAic, cell: ({ soldAic }) => aic(soldAic) },
        { heading: words().ofCap, cell: ({ soldAic, cap }) => percent(soldAic, cap) },
        { heading: words().left, cell: ({ soldAic, cap }) => aic(cap - soldAic) },
        { heading: words().phaseUsdc, cell: ({ soldUsdc }) => usdc(soldUsdc) },
        { heading: words().from, cell: ({ start }) => moment(start) },
        { heading: words().until, cell: ({ end }) => moment(end) },
      ]}
    />
  )
}

function PhaseName(props: { id: number }) {
  return (
    <>
      <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
        <rect class={colourOf(props.id - 1)} width="10" height="10" />
      </svg>
      {words().phaseName(props.id)}
    </>
  )
}

function Raised(props: { purchases: readonly Purchase[]; phases: number; until: number }) {
  const buckets = createMemo(() => raisedByDay(props.purchases, props.phases, props.until))
  const total = () => buckets().list.at(-1)?.running ?? 0n
  const series = () =>
    Array.from({ length: props.phases }, (_, index) => ({
      name: words().phaseName(index + 1),
      colour: colourOf(index),
    }))
  return (
    <>
      <h2>{words().perDay[buckets().unit]}</h2>
      <Show when={buckets().list.length > 0} fallback={<p>{words().empty}</p>}>
        <BarChart
          buckets={buckets()}
          series={series()}
          label={words().perDayAlt(
            buckets().list.length,
            compactUsdc(largest(buckets().list.map(sumOf))),
            compactUsdc(total()),
          )}
          exact={usdc}
          short={compactUsdc}
          hasLine
        />
        <p class="as-of">{words().perDayNote}</p>
      </Show>
    </>
  )
}

function Largest(props: { buyers: ReturnType<typeof buyersOf>; raised: bigint }) {
  return (
    <Show when={props.buyers.length > 0}>
      <h2>{words().largest}</h2>
      <DataTable
        label={words().largest}
        rows={props.buyers.slice(0, TOP_WALLETS)}
        columns={[
          { heading: words().wallet, cell: ({ address }) => <AddressLink address={address} /> },
          { heading: words().usdc, cell: ({ usdc: paid }) => usdc(paid) },
          { heading: words().aic, cell: ({ aic: bought }) => aic(bought) },
          { heading: words().count, cell: ({ purchases }) => number(purchases) },
          { heading: words().share, cell: ({ usdc: paid }) => percent(paid, props.raised) },
        ]}
      />
      <p class="as-of">{words().largestNote}</p>
    </Show>
  )
}
