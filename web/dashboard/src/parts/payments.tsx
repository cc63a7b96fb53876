import { Show } from 'solid-js'
import { OPTIONAL_VARIABLES } from '../../variables.ts'
import { useDashboard } from '../create-dashboard.ts'
import { aic, percentOfBps } from '../format.ts'
import { messages, pageMessages } from '../messages.ts'
import { AddressLink } from './links.tsx'
import { Facts, Unread } from './tally.tsx'

const words = () => pageMessages.token

/** The wrapped AIC that pays for runs, and the splitter that burns a share of it. */
export function Payments() {
  const { token, config } = useDashboard()
  return (
    <>
      <h2>{words().payments}</h2>
      <Show when={config.wrapped} fallback={<p>{words().notNamed(OPTIONAL_VARIABLES.wrapped)}</p>}>
        <Show when={token()?.wrapped} fallback={<Unread />}>
          {(wrapped) => (
            <Facts
              facts={[
                [words().wrappedSupply, messages.aic(aic(wrapped().supply))],
                [words().wrappedBurned, messages.aic(aic(wrapped().burned))],
              ]}
            />
          )}
        </Show>
      </Show>
      <Show when={config.splitter} fallback={<p>{words().notNamed(OPTIONAL_VARIABLES.splitter)}</p>}>
        <Show when={token()?.splitter} fallback={<Unread />}>
          {(splitter) => (
            <Facts
              facts={[
                [words().burnShare, percentOfBps(splitter().burnBps)],
                [words().treasury, <AddressLink address={splitter().treasury} />],
                [words().treasuryHolds, messages.aic(aic(splitter().treasuryHolds))],
              ]}
            />
          )}
        </Show>
      </Show>
    </>
  )
}
