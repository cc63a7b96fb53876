import { createSignal, For, Match, Show, Switch } from 'solid-js'
import { formatAmount } from '../../../../protocol/money.ts'
import { CopyButton } from '../../../shared/copy-button.tsx'
import { baseRateOf, discountedRate, LADDER, percentOf, priceOfTenSeconds } from '../../../shared/discount-ladder.ts'
import { AIC_DECIMALS, formatAic, formatDecimal } from '../../../shared/money.ts'
import { networkOf } from '../../../shared/wallet/networks.ts'
import { Identicon } from '../components/identicon.tsx'
import { LazyPlace, NotLoaded } from '../components/lazy-place.tsx'
import { Title } from '../components/shell.tsx'
import { SignInNeeded } from '../components/sign-in-needed.tsx'
import type { AicFigures } from '../lib/aic.ts'
import { getJson } from '../lib/api.ts'
import { type Account as Holder, readAccount } from '../lib/records/account.ts'
import { messages, pageMessages } from '../messages/active.ts'
import { useApp } from '../primitives/app-context.tsx'
import { createValue } from '../primitives/create-value.ts'
import { lazyPart } from '../primitives/lazy-part.ts'

const AicSection = lazyPart(() => import('../components/aic-section.tsx'))
// Written out, so that the production build drops it.
const DemoAccounts =
  import.meta.env.NEXT_PUBLIC_ENABLE_DEV_CHAIN === 'true'
    ? lazyPart(() => import('../components/demo-accounts.tsx'))
    : () => null

/** The account, its balances, and the discounts of staking. */
export default function Account() {
  return (
    <section class="page">
      <Title>{pageMessages.titles.account}</Title>
      <h1>{pageMessages.account.title}</h1>
      <SignInNeeded>
        <AccountDetails />
      </SignInNeeded>
      <LazyPlace>
        <DemoAccounts />
      </LazyPlace>
    </section>
  )
}

function AccountDetails() {
  const app = useApp()
  /** The wallet's own figures. They show a transaction at once; the server reads a stake at most every half minute. */
  const [own, setOwn] = createSignal<AicFigures | null>(null)
  const account = createValue(
    () => `${app.identity.session()?.address} ${app.version()}`,
    () => getJson('/api/account', readAccount),
  )
  return (
    <Switch fallback={<div class="skeleton skeleton-block" role="status" aria-label={messages.common.loading} />}>
      <Match when={account.failed() && account() === undefined}>
        <NotLoaded text={messages.errors.offline} onRetry={account.reload} />
      </Match>
      <Match when={account()}>
        {(holder) => (
          <>
            <Holdings account={holder()} own={own()} />
            <Ladder account={holder()} own={own()} />
            <LazyPlace>
              <AicSection account={holder()} onFigures={setOwn} onChanged={() => account.reload()} />
            </LazyPlace>
          </>
        )}
      </Match>
    </Switch>
  )
}

interface HolderProps {
  account: Holder
  own: AicFigures | null
}

function Holdings(props: HolderProps) {
  const aic = (read: bigint | undefined, answered: string | null): string | null => {
    const amount = read === undefined ? answered : formatAmount(read, AIC_DECIMALS)
    return amount === null ? null : formatAic(amount)
  }
  const line = (name: string, value: string | null) => (
    <div>
      <dt>{name}</dt>
      <dd class="figures">{value ?? pageMessages.account.unknown}</dd>
    </div>
  )
  const usdc = (value: string | null): string | null =>
    value === null ? null : messages.common.usdc(formatDecimal(value))
  return (
    <div class="holdings">
      <Identicon seed={props.account.address.toLowerCase()} lines={4} />
      <dl class="facts facts-large">
        <div class="fact-wide">
          <dt>{pageMessages.account.wallet}</dt>
          <dd class="figures quote-address">
            {props.account.address}
            <CopyButton text={props.account.address} what={pageMessages.account.wallet} />
          </dd>
        </div>
        {line(pageMessages.account.network, networkOf(props.account.chainId).name)}
        {line(pageMessages.account.tier, messages.tiers[props.account.tier])}
        {line(pageMessages.account.usdc, usdc(props.account.balances.usdc))}
        {line(pageMessages.account.spent, usdc(props.account.spent.usdc))}
        {line(pageMessages.account.aicHeld, aic(props.own?.plain, props.account.heldAic))}
        {line(pageMessages.account.aicWrapped, aic(props.own?.wrapped, props.account.balances.aic))}
        {line(pageMessages.account.aicStaked, aic(props.own?.staked, props.account.stakedAic))}
      </dl>
    </div>
  )
}

function Ladder(props: HolderProps) {
  const charged = (): number => Number(props.account.discountPct)
  const percent = (): number => (props.own === null ? charged() : percentOf(props.own.staked))
  const base = (): string | null => baseRateOf(props.account.effectiveRateUsdc, charged())
  return (
    <Show when={base()}>
      {(rate) => (
        <section class="ladder">
          <h2>{pageMessages.account.ladder}</h2>
          <p>{pageMessages.account.ladderIntro}</p>
          <section class="table-frame" tabindex="0" aria-label={pageMessages.account.ladder}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{pageMessages.account.staked}</th>
                  <th scope="col">{pageMessages.account.discount}</th>
                  <th scope="col">{pageMessages.account.rate}</th>
                  <th scope="col">{pageMessages.account.tenSeconds}</th>
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
                            <span class="tier">{pageMessages.account.yours}</span>
                          </Show>
                        </th>
                        <td>{pageMessages.account.percent(String(tier.percent))}</td>
                        <td>{formatDecimal(own())}</td>
                        <td>{formatDecimal(priceOfTenSeconds(own()))}</td>
                      </tr>
                    )
                  }}
                </For>
              </tbody>
            </table>
          </section>
        </section>
      )}
    </Show>
  )
}
