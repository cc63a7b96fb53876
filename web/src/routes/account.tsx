import { For, lazy, Match, Show, Suspense, Switch } from 'solid-js'
import { CopyButton } from '../components/copy-button.tsx'
import { Rosette } from '../components/rosette.tsx'
import { SignInNeeded } from '../components/sign-in-needed.tsx'
import { Title } from '../components/title.tsx'
import { getJson } from '../lib/api.ts'
import { baseRateOf, discountedRate, LADDER, priceOfTenSeconds } from '../lib/discount-ladder.ts'
import { formatAic, formatDecimal } from '../lib/money.ts'
import { type Account as Holder, readAccount } from '../lib/records/account.ts'
import { networkOf } from '../lib/wallet/networks.ts'
import { useApp } from '../primitives/app-context.tsx'
import { createValue } from '../primitives/create-value.ts'
import { words } from '../words/en.ts'

const Staking = lazy(() => import('../components/staking.tsx'))
// Written out, so that the build drops what is behind it.
const DemoAccounts =
  import.meta.env.NEXT_PUBLIC_ENABLE_DEV_CHAIN === 'true'
    ? lazy(() => import('../components/demo-accounts.tsx'))
    : () => null

/** Who is here, what the wallet holds, and what staking would change. */
export default function Account() {
  return (
    <section class="page">
      <Title>{words.titles.account}</Title>
      <h1>{words.account.title}</h1>
      <SignInNeeded>
        <Statement />
      </SignInNeeded>
      <Suspense>
        <DemoAccounts />
      </Suspense>
    </section>
  )
}

function Statement() {
  const app = useApp()
  const account = createValue(
    () => `${app.identity.session()?.address} ${app.version()}`,
    () => getJson('/api/account', readAccount),
  )
  return (
    <Switch fallback={<div class="skeleton skeleton-block" role="status" aria-label={words.common.loading} />}>
      <Match when={account.failed() && account() === undefined}>
        <p class="notice" role="alert">
          {words.errors.offline}{' '}
          <button type="button" class="link" onClick={() => account.reload()}>
            {words.common.retry}
          </button>
        </p>
      </Match>
      <Match when={account()}>
        {(holder) => (
          <>
            <Holdings account={holder()} />
            <Ladder account={holder()} />
            <Suspense>
              <Staking account={holder()} onChanged={() => account.reload()} />
            </Suspense>
          </>
        )}
      </Match>
    </Switch>
  )
}

function Holdings(props: { account: Holder }) {
  const line = (name: string, value: string | null) => (
    <div>
      <dt>{name}</dt>
      <dd class="figures">{value ?? words.common.unknown}</dd>
    </div>
  )
  const usdc = (value: string | null): string | null =>
    value === null ? null : words.common.usdc(formatDecimal(value))
  return (
    <div class="statement">
      <Rosette seed={props.account.address.toLowerCase()} lines={4} />
      <dl class="facts facts-large">
        <div class="fact-wide">
          <dt>{words.account.wallet}</dt>
          <dd class="figures bill-address">
            {props.account.address}
            <CopyButton text={props.account.address} what={words.account.wallet} />
          </dd>
        </div>
        {line(words.account.network, networkOf(props.account.chainId).name)}
        {line(words.account.tier, words.tiers[props.account.tier])}
        {line(words.account.usdc, usdc(props.account.balances.usdc))}
        {line(words.account.spent, usdc(props.account.spent.usdc))}
        {line(words.account.aicHeld, formatAic(props.account.heldAic))}
        {line(words.account.aicStaked, formatAic(props.account.stakedAic))}
      </dl>
    </div>
  )
}

function Ladder(props: { account: Holder }) {
  const percent = (): number => Number(props.account.discountPct)
  const base = (): string | null => baseRateOf(props.account.effectiveRateUsdc, percent())
  return (
    <Show when={base()}>
      {(rate) => (
        <section class="ladder">
          <h2>{words.account.ladder}</h2>
          <p>{words.account.ladderIntro}</p>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.account.staked}</th>
                <th scope="col">{words.account.discount}</th>
                <th scope="col">{words.account.rate}</th>
                <th scope="col">{words.account.tenSeconds}</th>
              </tr>
            </thead>
            <tbody>
              <For each={LADDER}>
                {(tier) => {
                  const own = (): string => discountedRate(rate(), tier.percent)
                  return (
                    <tr classList={{ 'ladder-own': tier.percent === percent() }}>
                      <th scope="row">
                        {words.common.aic(formatAic(tier.staked))}
                        <Show when={tier.percent === percent()}>
                          <span class="tier">{words.account.yours}</span>
                        </Show>
                      </th>
                      <td>{words.account.percent(String(tier.percent))}</td>
                      <td>{formatDecimal(own())}</td>
                      <td>{formatDecimal(priceOfTenSeconds(own()))}</td>
                    </tr>
                  )
                }}
              </For>
            </tbody>
          </table>
        </section>
      )}
    </Show>
  )
}
