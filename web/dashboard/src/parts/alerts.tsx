import { For, Show } from 'solid-js'
import { shortHex } from '../../../shared/wallet/provider.ts'
import { useDashboard } from '../create-dashboard.ts'
import { aic, checkName, duration, hours, moment, usdc } from '../format.ts'
import { messages } from '../messages.ts'
import type { Alert } from '../model/alerts.ts'

const contractName = (name: string): string =>
  Object.entries({ ...messages.contracts, ...messages.vaults }).find(([known]) => known === name)?.[1] ?? shortHex(name)

/** What is unusual now. */
export function Alerts() {
  const dashboard = useDashboard()
  return (
    <section class="alerts" aria-label={messages.alerts.title}>
      <Show when={dashboard.alerts().length > 0} fallback={<p class="alerts-fine">{messages.alerts.fine}</p>}>
        <ul>
          <For each={dashboard.alerts()}>
            {(alert) => (
              <li class={`alert alert-${alert.severity}`}>
                <strong>{messages.alerts.severity[alert.severity]}</strong> {wordsOf(alert)}
              </li>
            )}
          </For>
        </ul>
      </Show>
    </section>
  )
}

function wordsOf(alert: Alert): string {
  const words = messages.alerts
  switch (alert.kind) {
    case 'nodeBehind':
      return words.nodeBehind(duration(alert.seconds))
    case 'paused':
      return words.paused(contractName(alert.contract), moment(alert.until))
    case 'pauseAlmostUsed':
      return words.pauseAlmostUsed(contractName(alert.contract), hours(alert.seconds))
    case 'notFinalized':
      return words.notFinalized(moment(alert.since))
    case 'softCapMissed':
      return words.softCapMissed(messages.usdc(usdc(alert.missing)))
    case 'nearSoftCap':
      return words.nearSoftCap(messages.usdc(usdc(alert.raised)))
    case 'tgeSet':
      return words.tgeSet(moment(alert.time), moment(alert.at))
    case 'notRouted':
      return words.notRouted(contractName(alert.vault), messages.usdc(usdc(alert.due)))
    case 'claimsNotCovered':
      return words.claimsNotCovered(messages.aic(aic(alert.missing)))
    case 'muchSpent':
      return words.muchSpent(contractName(alert.vault), alert.percent)
    case 'adminChanging':
      return words.adminChanging(contractName(alert.contract), shortHex(alert.to), moment(alert.from))
    case 'roleChanged':
    case 'payeeChanged': {
      const { contract, account, granted, at } = alert
      return words[alert.kind](contractName(contract), shortHex(account), granted, moment(at))
    }
    case 'check':
      return words.check(checkName(alert.check), alert.detail)
  }
}
