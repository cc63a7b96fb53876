import { createMemo, Show } from 'solid-js'
import { parseAmount } from '../../../../protocol/money.ts'
import { LADDER } from '../../../shared/discount-ladder.ts'
import { AIC_DECIMALS } from '../../../shared/money.ts'
import { OPTIONAL_VARIABLES } from '../../variables.ts'
import { BarChart } from '../charts/bar-chart.tsx'
import { colourOf } from '../charts/chart-frame.tsx'
import { useDashboard } from '../create-dashboard.ts'
import { aic, compactAic, duration, number, percentOfBps } from '../format.ts'
import { messages, pageMessages } from '../messages.ts'
import { stakersByStep, stakersOf, stakingByDay } from '../model/staking.ts'
import type { TokenState } from '../reads/token.ts'
import { DataTable } from './data-table.tsx'
import { Facts, Unread } from './tally.tsx'

const words = () => pageMessages.token
const STEPS = LADDER.map(({ staked }) => parseAmount(staked, AIC_DECIMALS))
const BPS_PER_PERCENT = 100

/** What is staked, by whom, and which discount it reaches. */
export function Staking() {
  const { token, config } = useDashboard()
  return (
    <>
      <h2>{words().staking}</h2>
      <Show when={config.staking} fallback={<p>{words().notNamed(OPTIONAL_VARIABLES.staking)}</p>}>
        <Show when={token()?.staking} fallback={<Unread />}>
          {(known) => <Stakes staking={known()} />}
        </Show>
      </Show>
    </>
  )
}

function Stakes(props: { staking: NonNullable<TokenState['staking']> }) {
  const { events, today, config } = useDashboard()
  const stakers = createMemo(() => stakersOf(events()))
  const days = createMemo(() => stakingByDay(events(), today()))
  const steps = () =>
    stakersByStep(stakers(), STEPS).map((step, index) => ({
      ...step,
      least: STEPS[index] ?? 0n,
      percent: LADDER[index]?.percent ?? 0,
    }))
  return (
    <>
      <Show when={props.staking.token.toLowerCase() !== config.addresses.aicToken.toLowerCase()}>
        <p class="notice">{words().otherToken}</p>
      </Show>
      <Facts
        facts={[
          [words().waiting, messages.aic(aic(props.staking.held))],
          [words().staked, messages.aic(aic(stakers().reduce((sum, { staked }) => sum + staked, 0n)))],
          [words().stakers, number(stakers().length)],
          [words().cooldown, duration(props.staking.cooldownSeconds)],
        ]}
      />
      <DataTable
        label={words().staking}
        rows={steps()}
        columns={[
          { heading: words().tier, cell: ({ least }) => messages.aic(aic(least)) },
          { heading: words().discount, cell: ({ percent }) => percentOfBps(percent * BPS_PER_PERCENT) },
          { heading: words().stakersOf, cell: ({ count }) => number(count) },
          { heading: words().stakedSum, cell: ({ staked }) => aic(staked) },
        ]}
      />
      <h3>{words().stakingPerDay[days().unit]}</h3>
      <Show when={days().list.length > 0} fallback={<p>{words().noStaking}</p>}>
        <BarChart
          buckets={days()}
          series={[
            { name: words().stakedSeries, colour: colourOf(0) },
            { name: words().unstakedSeries, colour: colourOf(1) },
          ]}
          label={words().stakingAlt(days().list.length)}
          exact={aic}
          short={compactAic}
        />
      </Show>
    </>
  )
}
