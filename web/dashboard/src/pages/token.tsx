import { createMemo, For, Show } from 'solid-js'
import { BarChart } from '../charts/bar-chart.tsx'
import { colourOf } from '../charts/chart-frame.tsx'
import { Meter } from '../charts/meter.tsx'
import { useDashboard } from '../create-dashboard.ts'
import { aic, compactAic, moment, pauseLeft, percent } from '../format.ts'
import { messages, pageMessages } from '../messages.ts'
import { burnedByDay, claimedByDay } from '../model/staking.ts'
import { vestedAt } from '../model/vesting.ts'
import { Payments } from '../parts/payments.tsx'
import { Staking } from '../parts/staking.tsx'
import { Facts, Tally, Unread } from '../parts/tally.tsx'
import type { ClaimState } from '../reads/state.ts'
import type { TokenState } from '../reads/token.ts'

const words = () => pageMessages.token

/** The supply of AIC and where it is, claims, staking and burning. */
export function Token() {
  const { token, claims, vaults, events, today } = useDashboard()
  const burned = createMemo(() => burnedByDay(events(), today()))
  const inVaults = () => vaults()?.reduce((sum, vault) => sum + vault.aic, 0n) ?? null
  const circulating = () => {
    const [known, held, module] = [token(), inVaults(), claims()]
    return known === null || held === null || module === null ? null : known.supply - held - module.held - known.burned
  }
  const short = (amount: bigint | null | undefined): string | null => (amount == null ? null : compactAic(amount))
  return (
    <>
      <h1>{words().title}</h1>
      <p class="lead">{words().lead}</p>
      <Tally
        figures={[
          { name: words().supply, value: short(token()?.supply), note: 'AIC' },
          { name: words().inCirculation, value: short(circulating()), note: 'AIC' },
          { name: words().claimed, value: short(claims()?.claimed), note: 'AIC' },
          { name: words().burned, value: short(token()?.burned), note: 'AIC' },
        ]}
      />
      <p class="as-of">{words().circulationNote}</p>
      <h2>{words().allocation}</h2>
      <Show when={token()} fallback={<Unread />}>
        {(known) => <Places token={known()} inVaults={inVaults() ?? 0n} inModule={claims()?.held ?? 0n} />}
      </Show>
      <h2>{words().claims}</h2>
      <Show when={claims()} fallback={<Unread />}>
        {(known) => <Claims claims={known()} />}
      </Show>
      <Staking />
      <Payments />
      <h2>{words().burnedPerDay[burned().unit]}</h2>
      <Show when={burned().list.length > 0} fallback={<p>{words().noBurned}</p>}>
        <BarChart
          buckets={burned()}
          series={[{ name: words().burned, colour: colourOf(3) }]}
          label={words().burnedAlt(burned().list.length, compactAic(burned().list.at(-1)?.running ?? 0n))}
          exact={aic}
          short={compactAic}
          hasLine
        />
      </Show>
    </>
  )
}

function Places(props: { token: TokenState; inVaults: bigint; inModule: bigint }) {
  const { config } = useDashboard()
  const places = () => {
    const { supply, burned, staking, wrapped } = props.token
    const isStaked = staking !== null && staking.token.toLowerCase() === config.addresses.aicToken.toLowerCase()
    const known = [
      { name: words().places.vaults, amount: props.inVaults },
      { name: words().places.claimModule, amount: props.inModule },
      { name: words().places.staking, amount: isStaked ? staking.held : 0n },
      { name: words().places.wrapped, amount: wrapped?.held ?? 0n },
      { name: words().places.burned, amount: burned },
    ]
    const others = known.reduce((left, { amount }) => left - amount, supply)
    return [...known, { name: words().places.others, amount: others }].map((place, index) => ({
      ...place,
      colour: colourOf(index),
    }))
  }
  return (
    <figure>
      <Meter parts={places()} whole={props.token.supply} label={words().allocationAlt} />
      <figcaption>
        <ul class="legend legend-rows">
          <For each={places()}>
            {({ name, amount, colour }) => (
              <li>
                <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
                  <rect class={colour} width="10" height="10" />
                </svg>
                {name}
                <span class="figures legend-value">
                  {messages.aic(aic(amount))} · {percent(amount, props.token.supply)}
                </span>
              </li>
            )}
          </For>
        </ul>
      </figcaption>
    </figure>
  )
}

function Claims(props: { claims: ClaimState }) {
  const { sale, events, now, today } = useDashboard()
  const days = createMemo(() => claimedByDay(events(), today()))
  const owed = () => {
    const known = sale()
    return known === null ? null : known.name === 'cancelled' ? 0n : known.sold
  }
  const free = () => vestedAt({ ...props.claims, amount: owed() ?? 0n }, props.claims.tge, now() - (now() % 60))
  return (
    <>
      <Facts
        facts={[
          [words().tge, props.claims.tge === 0 ? words().noTge : moment(props.claims.tge)],
          [words().owed, owed() === null ? messages.unread : messages.aic(aic(owed() ?? 0n))],
          [words().held, messages.aic(aic(props.claims.held))],
          [words().claimed, messages.aic(aic(props.claims.claimed))],
          [words().left, messages.aic(aic((owed() ?? 0n) - props.claims.claimed))],
          [words().freeToClaim, messages.aic(aic(free() - props.claims.claimed))],
          [words().pauseLeft, pauseLeft(props.claims.pausedSeconds)],
        ]}
      />
      <h3>{words().claimsPerDay[days().unit]}</h3>
      <Show when={days().list.length > 0} fallback={<p>{words().noClaims}</p>}>
        <BarChart
          buckets={days()}
          series={[{ name: words().claimed, colour: colourOf(0) }]}
          label={words().claimsAlt(days().list.length, compactAic(days().list.at(-1)?.running ?? 0n))}
          exact={aic}
          short={compactAic}
          hasLine
        />
      </Show>
    </>
  )
}
