import { For, Match, Show, Switch } from 'solid-js'
import { formatDecimal, formatNumber } from '../../../shared/money.ts'
import { formatMonth } from '../../../shared/time.ts'
import { service } from '../lib/api.ts'
import { hasAic, type Spent, spendingOf } from '../lib/spending.ts'
import { messages, pageMessages } from '../messages/active.ts'
import { createValue } from '../primitives/create-value.ts'
import { NotLoaded } from './lazy-place.tsx'

const text = () => pageMessages.spending

/** What this wallet paid, by month and by model, from the same file as the download. */
export default function Spending(props: { modelName(id: string): string }) {
  const sums = createValue(
    () => true,
    async () => spendingOf(await (await service().call('/api/inferences?format=csv')).text()),
  )
  return (
    <Switch fallback={<div class="skeleton skeleton-row" role="status" aria-label={messages.common.loading} />}>
      <Match when={sums.failed()}>
        <NotLoaded text={pageMessages.history.failed} onRetry={sums.reload} />
      </Match>
      <Match when={sums()?.months.length === 0}>
        <p>{pageMessages.history.empty}</p>
      </Match>
      <Match when={sums()}>
        {(found) => (
          <div class="spending">
            <Sums title={text().month} rows={found().months} nameOf={formatMonth} />
            <Sums title={pageMessages.stats.model} rows={found().models} nameOf={(key) => props.modelName(key)} />
          </div>
        )}
      </Match>
    </Switch>
  )
}

function Sums(props: { title: string; rows: Spent[]; nameOf(key: string): string }) {
  return (
    <section class="table-frame" tabindex="0" aria-label={props.title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{props.title}</th>
            <th scope="col">{pageMessages.stats.runs}</th>
            <th scope="col">USDC</th>
            <Show when={hasAic(props.rows)}>
              <th scope="col">AIC</th>
            </Show>
          </tr>
        </thead>
        <tbody>
          <For each={props.rows}>
            {(row) => (
              <tr>
                <th scope="row">{props.nameOf(row.key)}</th>
                <td>{formatNumber(row.runs)}</td>
                <td>{formatDecimal(row.usdc)}</td>
                <Show when={hasAic(props.rows)}>
                  <td>{formatDecimal(row.aic)}</td>
                </Show>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </section>
  )
}
