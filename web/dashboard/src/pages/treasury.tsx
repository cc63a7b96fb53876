import { createMemo, Show } from 'solid-js'
import { VestingChart } from '../charts/vesting-chart.tsx'
import { useDashboard } from '../create-dashboard.ts'
import { aic, allocationName, compactAic, duration, moment, percentOfBps, usdc, wholeUsdc } from '../format.ts'
import { messages, pageMessages } from '../messages.ts'
import { INVESTORS } from '../model/dates.ts'
import { nextUnlock, type Terms, vestedAt } from '../model/vesting.ts'
import { DataTable } from '../parts/data-table.tsx'
import { AddressLink, explorerAddress } from '../parts/links.tsx'
import { Spending } from '../parts/spending.tsx'
import { type Figure, Tally, Unread } from '../parts/tally.tsx'
import type { ClaimState, SaleState, VaultState } from '../reads/state.ts'

const words = () => pageMessages.treasury

/** The vaults: what they hold, what is due to them, and how their AIC becomes free. */
export function Treasury() {
  const { sale, vaults, claims, config } = useDashboard()
  return (
    <>
      <h1>{words().title}</h1>
      <p class="lead">{words().lead}</p>
      <Tally figures={headline(sale(), vaults())} />
      <p class="as-of">{words().escrowNote}</p>
      <h2>{words().vaults}</h2>
      <Show when={vaults()} fallback={<Unread />}>
        {(list) => <Vaults list={list()} />}
      </Show>
      <p class="as-of">
        {words().routeNote}{' '}
        <Show when={explorerAddress(config.chainId, config.addresses.presaleVault)}>
          {(href) => (
            <a href={`${href()}#writeContract`} target="_blank" rel="noreferrer">
              {words().callRoute}
            </a>
          )}
        </Show>
      </p>
      <h2>{words().vesting}</h2>
      <Show when={vaults()} fallback={<Unread />}>
        {(list) => <Vesting vaults={list()} claims={claims()} sale={sale()} />}
      </Show>
      <Spending />
    </>
  )
}

function headline(sale: SaleState | null, vaults: readonly VaultState[] | null): Figure[] {
  const sum = (pick: (vault: VaultState) => bigint): bigint | null =>
    vaults?.reduce((total, vault) => total + pick(vault), 0n) ?? null
  const held = sum((vault) => vault.aic)
  const free = sum((vault) => vault.free)
  const vaultsUsdc = sum((vault) => vault.usdc)
  return [
    { name: words().escrow, value: sale && wholeUsdc(sale.escrow), note: 'USDC' },
    { name: words().routed, value: sale && wholeUsdc(sale.routed), note: 'USDC' },
    { name: words().vaultsUsdc, value: vaultsUsdc === null ? null : wholeUsdc(vaultsUsdc), note: 'USDC' },
    { name: words().vaultsAic, value: held === null ? null : compactAic(held), note: 'AIC' },
    { name: words().free, value: free === null ? null : compactAic(free), note: 'AIC' },
  ]
}

function Vaults(props: { list: readonly VaultState[] }) {
  return (
    <DataTable<VaultState>
      label={words().vaults}
      rows={props.list}
      columns={[
        { heading: words().vault, cell: ({ address }) => <AddressLink address={address} /> },
        { heading: words().shareOfUsdc, cell: ({ bps }) => (bps === null ? messages.none : percentOfBps(bps)) },
        { heading: words().due, cell: ({ due }) => usdc(due) },
        { heading: words().got, cell: ({ routed }) => usdc(routed) },
        { heading: words().usdc, cell: (vault) => usdc(vault.usdc) },
        { heading: words().aic, cell: (vault) => aic(vault.aic) },
        { heading: words().locked, cell: ({ locked }) => aic(locked) },
        { heading: words().freeAic, cell: ({ free }) => aic(free) },
      ]}
    />
  )
}

interface Allocation {
  name: string
  holder: string
  terms: Terms
}

/** AIC of the buyers, as the specification allocates it. */
const INVESTORS_AIC = 150_000_000n * 10n ** 18n

function Vesting(props: { vaults: readonly VaultState[]; claims: ClaimState | null; sale: SaleState | null }) {
  const { now, config } = useDashboard()
  const minute = createMemo(() => now() - (now() % 60))
  const tge = () => props.claims?.tge ?? 0
  const allocations = createMemo((): Allocation[] => [
    ...(props.claims === null || props.sale === null
      ? []
      : [
          {
            name: allocationName(INVESTORS),
            holder: config.addresses.claimModule,
            terms: { ...props.claims, amount: owedTo(props.sale) },
          },
        ]),
    ...props.vaults.flatMap(({ address, schedules }) =>
      schedules.map((terms) => ({ name: allocationName(terms.name), holder: address, terms })),
    ),
  ])
  return (
    <>
      <VestingChart allocations={allocations()} tge={tge()} now={minute()} />
      <p class="as-of">{words().vestingNote}</p>
      <h2>{words().schedules}</h2>
      <DataTable<Allocation>
        label={words().schedules}
        rows={allocations()}
        columns={[
          { heading: words().allocation, cell: ({ name }) => name },
          { heading: words().holder, isText: true, cell: ({ holder }) => <AddressLink address={holder} /> },
          { heading: words().amount, cell: ({ terms }) => aic(terms.amount) },
          { heading: words().atTge, cell: ({ terms }) => percentOfBps(terms.tgeBps) },
          { heading: words().cliff, cell: ({ terms }) => (terms.cliff === 0 ? messages.none : duration(terms.cliff)) },
          {
            heading: words().over,
            cell: ({ terms }) => (terms.duration === 0 ? messages.none : duration(terms.duration)),
          },
          { heading: words().now, cell: ({ terms }) => aic(vestedAt(terms, tge(), minute())) },
          { heading: words().next, cell: ({ terms }) => unlockWords(terms, tge(), minute()) },
        ]}
      />
      <Show when={props.claims}>
        {(claims) => <Show when={props.sale}>{(sale) => <UnsoldPart claims={claims()} sale={sale()} />}</Show>}
      </Show>
    </>
  )
}

/** AIC that buyers are owed, claimed or not. */
const owedTo = (sale: SaleState): bigint => (sale.name === 'cancelled' ? 0n : sale.sold)

/** What was not sold: how much, where it is, and from when it can move. */
function UnsoldPart(props: { claims: ClaimState; sale: SaleState }) {
  const { config } = useDashboard()
  const unsold = (): bigint => INVESTORS_AIC - owedTo(props.sale)
  /** The part that was moved already. */
  const moved = (): bigint => {
    const gone = INVESTORS_AIC - props.claims.held - props.claims.claimed
    return gone > 0n ? gone : 0n
  }
  const when = (): string => {
    const { unsoldFrom } = props.claims
    return unsoldFrom === 0 ? words().unsoldWaits : words().unsoldFrom(moment(unsoldFrom))
  }
  return (
    <dl class="fact-list">
      <div>
        <dt>{words().unsold}</dt>
        <dd>
          {messages.aic(aic(unsold()))},{' '}
          <Show when={moved() === 0n} fallback={words().unsoldMoved}>
            <AddressLink address={config.addresses.claimModule} />, {when()}
          </Show>
        </dd>
      </div>
    </dl>
  )
}

function unlockWords(terms: Terms, tge: number, now: number): string {
  if (tge === 0) return words().beforeTge
  const next = nextUnlock(terms, tge, now)
  if (next === null) return words().allFree
  return next === now ? words().continuous : moment(next)
}
