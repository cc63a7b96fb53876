import { createMemo, For, Show } from 'solid-js'
import { useDashboard } from '../create-dashboard.ts'
import { allocationName, duration, moment } from '../format.ts'
import { messages, pageMessages } from '../messages.ts'
import { type Upcoming, upcomingDates } from '../model/dates.ts'

const words = () => pageMessages.dates

/** The dates that the contracts fix and that are still to come. */
export function Dates() {
  const { sale, claims, vaults, roles, now } = useDashboard()
  const minute = createMemo(() => now() - (now() % 60))
  const dates = createMemo(() =>
    upcomingDates({ sale: sale(), claims: claims(), vaults: vaults(), roles: roles() }, minute()),
  )
  return (
    <Show when={dates().length > 0} fallback={<p>{pageMessages.sale.noDates}</p>}>
      <ol class="dates">
        <For each={dates()}>
          {(date) => (
            <li>
              <span class="dates-when figures">{moment(date.at)}</span>
              <span>{wordsOf(date)}</span>
              <span class="dates-in figures">{words().inTime(duration(date.at - minute()))}</span>
            </li>
          )}
        </For>
      </ol>
    </Show>
  )
}

function wordsOf(date: Upcoming): string {
  switch (date.kind) {
    case 'phaseStarts':
    case 'phaseEnds':
      return words()[date.kind](date.phase)
    case 'cliffEnds':
    case 'allFree':
      return words()[date.kind](allocationName(date.allocation))
    case 'adminAccepts':
      return words().adminAccepts(
        Object.entries(messages.contracts).find(([name]) => name === date.contract)?.[1] ?? date.contract,
      )
    default:
      return words()[date.kind]
  }
}
