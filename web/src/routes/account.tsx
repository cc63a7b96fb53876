import { For, lazy, Match, Show, Suspense, Switch } from 'solid-js'
import { CopyButton } from '../components/copy-button.tsx'
import { Identicon } from '../components/identicon.tsx'
import { SignInNeeded } from '../components/sign-in-needed.tsx'
import { Title } from '../components/title.tsx'
import { getJson } from '../lib/api.ts'
import { baseRateOf, discountedRate, LADDER, priceOfTenSeconds } from '../lib/discount-ladder.ts'
import { formatAic, formatDecimal } from '../lib/money.ts'
import { type Account as Holder, readAccount } from '../lib/records/account.ts'
import { networkOf } from '../lib/wallet/networks.ts'
import { messages } from '../messages/en.ts'
import { useApp } from '../primitives/app-context.tsx'
import { createValue } from '../primitives/create-value.ts'

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
      <Title>{messages.titles.account}</Title>
      <h1>{messages.account.title}</h1>
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
    <Switch fallback={<div class="skeleton skeleton-block" role="status" aria-label={messages.common.loading} />}>
      <Match when={account.failed() && account() === undefined}>
        <p class="notice" role="alert">
          {messages.errors.offline}{' '}
          <button type="button" class="link" onClick={() => account.reload()}>
            {messages.common.retry}
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
      <dd class="figures">{value ?? messages.common.unknown}</dd>
    </div>
  )
  const usdc = (value: string | null): string | null =>
    value === null ? null : messages.common.usdc(formatDecimal(value))
  return (
    <div class="statement">
      <Identicon seed={props.account.address.toLowerCase()} lines={4} />
      <dl class="facts facts-large">
        <div class="fact-wide">
          <dt>{messages.account.wallet}</dt>
          <dd class="figures quote-address">
            {props.account.address}
            <CopyButton text={props.account.address} what={messages.account.wallet} />
          </dd>
        </div>
        {line(messages.account.network, networkOf(props.account.chainId).name)}
        {line(messages.account.tier, messages.tiers[props.account.tier])}
        {line(messages.account.usdc, usdc(props.account.balances.usdc))}
        {line(messages.account.spent, usdc(props.account.spent.usdc))}
        {line(messages.account.aicHeld, formatAic(props.account.heldAic))}
        {line(messages.account.aicStaked, formatAic(props.account.stakedAic))}
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
          <h2>{messages.account.ladder}</h2>
          <p>{messages.account.ladderIntro}</p>
          <table>
            <thead>
              <tr>
                <th scope="col">{messages.account.staked}</th>
                <th scope="col">{messages.account.discount}</th>
                <th scope="col">{messages.account.rate}</th>
                <th scope="col">{messages.account.tenSeconds}</th>
              </tr>
            </thead>
            <tbody>
              <For each={LADDER}>
                {(tier) => {
                  const own = (): string => discountedRate(rate(), tier.percent)
                  return (
                    <tr classList={{ 'ladder-own': tier.percent === percent() }}>
                      <th scope="row">
                        {messages.common.aic(formatAic(tier.staked))}
                        <Show when={tier.percent === percent()}>
                          <span class="tier">{messages.account.yours}</span>
                        </Show>
                      </th>
                      <td>{messages.account.percent(String(tier.percent))}</td>
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
