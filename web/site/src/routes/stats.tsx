import { For, Match, Show, Switch } from 'solid-js'
import { approximatePrice, formatAic, formatDecimal, formatNumber } from '../../../shared/money.ts'
import { shared } from '../../../shared/texts.ts'
import { formatMoment, formatSeconds } from '../../../shared/time.ts'
import { DayBars } from '../components/day-bars.tsx'
import { NotLoaded } from '../components/lazy-place.tsx'
import { Title } from '../components/shell.tsx'
import { getJson } from '../lib/api.ts'
import { type Stats as Numbers, readStats } from '../lib/records/stats.ts'
import { messages, pageMessages } from '../messages/active.ts'
import { useApp } from '../primitives/app-context.tsx'
import { createValue } from '../primitives/create-value.ts'

/** A share of one as a percentage. */
const formatShare = (share: number): string =>
  new Intl.NumberFormat(shared.format.locale, { style: 'percent', maximumFractionDigits: 1 }).format(share)

/** Numbers of the service, counted from its payments. */
export default function Stats() {
  const app = useApp()
  const stats = createValue(app.version, () => getJson('/api/stats', readStats))
  return (
    <section class="page page-wide">
      <Title>{pageMessages.titles.stats}</Title>
      <h1>{pageMessages.stats.title}</h1>
      <p class="lead">{pageMessages.stats.intro}</p>
      <Switch fallback={<div class="skeleton skeleton-block" role="status" aria-label={messages.common.loading} />}>
        <Match when={stats.failed() && stats() === undefined}>
          <NotLoaded text={pageMessages.stats.failed} onRetry={stats.reload} />
        </Match>
        <Match when={stats()}>{(figures) => <Figures stats={figures()} />}</Match>
      </Switch>
    </section>
  )
}

function Figures(props: { stats: Numbers }) {
  const rate = (): string => (props.stats.total === 0 ? '–' : formatShare(props.stats.succeeded / props.stats.total))
  return (
    <>
      <dl class="tally">
        <Tally name={pageMessages.stats.runs} value={formatNumber(props.stats.total)} />
        <Tally name={pageMessages.stats.succeeded} value={rate()} />
        <Tally name={pageMessages.stats.usdc} value={formatDecimal(props.stats.usdcSettled)} />
        <Tally name={pageMessages.stats.aic} value={formatAic(props.stats.aicSettled)} />
        <Tally name={pageMessages.stats.burned} value={formatAic(props.stats.aicBurnedAmount)} />
      </dl>
      <h2>{pageMessages.stats.perDay}</h2>
      <Show when={props.stats.days.length > 0} fallback={<p>{pageMessages.stats.empty}</p>}>
        <DayBars days={props.stats.days} />
      </Show>
      <h2>{pageMessages.stats.perModel}</h2>
      <Show when={props.stats.models.length > 0} fallback={<p>{pageMessages.stats.empty}</p>}>
        <ModelTable stats={props.stats} />
      </Show>
      <Show when={props.stats.asOf}>{(at) => <p class="as-of">{pageMessages.stats.asOf(formatMoment(at()))}</p>}</Show>
    </>
  )
}

function Tally(props: { name: string; value: string }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.value}</dd>
    </div>
  )
}

function ModelTable(props: { stats: Numbers }) {
  const app = useApp()
  const model = (id: string) => app.models()?.find((known) => known.id === id)
  const price = (usdc: string | undefined): string => (usdc === undefined ? '–' : approximatePrice(usdc))
  const seconds = (value: number | null): string => (value === null ? '–' : formatSeconds(value))
  return (
    // A wide table scrolls in a frame that can have the keyboard focus.
    <section class="table-frame" tabindex="0" aria-label={pageMessages.stats.perModel}>
      <table class="table-rows">
        <thead>
          <tr>
            <th scope="col">{pageMessages.stats.model}</th>
            <th scope="col">{pageMessages.stats.runs}</th>
            <th scope="col">{pageMessages.stats.rate}</th>
            <th scope="col">{pageMessages.stats.p50}</th>
            <th scope="col">{pageMessages.stats.p95}</th>
            <th scope="col">{pageMessages.stats.price}</th>
          </tr>
        </thead>
        <tbody>
          <For each={props.stats.models}>
            {(row) => (
              <tr>
                <th scope="row">{model(row.id)?.name ?? row.id}</th>
                <td data-label={pageMessages.stats.runs}>{formatNumber(row.runs)}</td>
                <td data-label={pageMessages.stats.rate}>
                  {row.successRate === null ? '–' : formatShare(row.successRate)}
                </td>
                <td data-label={pageMessages.stats.p50}>{seconds(row.p50Seconds)}</td>
                <td data-label={pageMessages.stats.p95}>{seconds(row.p95Seconds)}</td>
                <td data-label={pageMessages.stats.price}>{price(model(row.id)?.estimatedCostUsdc)}</td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </section>
  )
}
