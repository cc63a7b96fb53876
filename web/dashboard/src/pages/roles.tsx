import { createMemo, For, Show } from 'solid-js'
import { shortHex } from '../../../shared/wallet/provider.ts'
import { useDashboard } from '../create-dashboard.ts'
import { duration, moment } from '../format.ts'
import { messages, pageMessages } from '../messages.ts'
import { monitoredContracts } from '../model/contracts.ts'
import { DataTable } from '../parts/data-table.tsx'
import { AddressLink, TransactionLink } from '../parts/links.tsx'
import { Unread } from '../parts/tally.tsx'
import type { ChainEvent } from '../reads/events.ts'
import type { AccountKind, AdminState, OperatorState } from '../reads/roles.ts'

const words = () => pageMessages.roles

/** Who is admin and operator of each contract, and every change of it. */
export function Roles() {
  const { roles, view, config } = useDashboard()
  return (
    <>
      <h1>{words().title}</h1>
      <p class="lead">{words().lead}</p>
      <Show when={view()?.eventsFrom}>
        <p class="notice">{words().incomplete}</p>
      </Show>
      <h2>{words().admins}</h2>
      <Show when={roles()} fallback={<Unread />}>
        {(known) => <Admins list={known().admins} />}
      </Show>
      <p class="as-of">{words().addressesNote}</p>
      <h2>{words().operators}</h2>
      <Show when={roles()} fallback={<Unread />}>
        {(known) => <Operators list={known().operators} />}
      </Show>
      <Changes />
      <h2>{words().addresses}</h2>
      <dl class="fact-list">
        <For each={monitoredContracts(config)}>
          {({ name, address }) => (
            <div>
              <dt>{messages.contracts[name]}</dt>
              <dd>
                <AddressLink address={address} isPlain />
              </dd>
            </div>
          )}
        </For>
      </dl>
    </>
  )
}

const kindWords = (account: AccountKind): string =>
  account.kind === 'safe'
    ? messages.accounts.safe(account.threshold, account.owners.length)
    : messages.accounts[account.kind]

function Admins(props: { list: readonly AdminState[] }) {
  return (
    <DataTable<AdminState>
      label={words().admins}
      rows={props.list}
      columns={[
        { heading: words().contract, isText: true, cell: ({ contract }) => messages.contracts[contract] },
        { heading: words().admin, isText: true, cell: ({ admin }) => <AddressLink address={admin} /> },
        { heading: words().kind, isText: true, cell: ({ account }) => kindWords(account) },
        {
          heading: words().pending,
          isText: true,
          cell: ({ pending }) =>
            pending === null ? words().noPending : words().pendingTo(shortHex(pending.to), moment(pending.from)),
        },
        { heading: words().delay, cell: ({ delaySeconds }) => duration(delaySeconds) },
      ]}
    />
  )
}

function Operators(props: { list: readonly OperatorState[] }) {
  return (
    <DataTable<OperatorState>
      label={words().operators}
      rows={props.list}
      columns={[
        { heading: words().vault, cell: ({ vault }) => messages.vaults[vault] },
        {
          heading: words().operator,
          isText: true,
          cell: ({ operators }) => (
            <For each={operators} fallback={words().noOperator}>
              {({ address }) => <AddressLink address={address} />}
            </For>
          ),
        },
        {
          heading: words().kind,
          isText: true,
          cell: ({ operators }) => operators.map(({ account }) => kindWords(account)).join(', '),
        },
        {
          heading: words().former,
          isText: true,
          cell: ({ former }) => (
            <For each={former} fallback={messages.none}>
              {(address) => <AddressLink address={address} />}
            </For>
          ),
        },
      ]}
    />
  )
}

interface Change {
  contract: string
  what: string
  account: string
  at: number
  transaction: string
}

/** A change of a role after the launch; null for every other event. */
function changeOf(event: ChainEvent): Change | null {
  const { contract, at, transaction } = event
  switch (event.eventName) {
    case 'RoleGranted':
      return { contract, at, transaction, what: words().granted, account: event.args.account }
    case 'RoleRevoked':
      return { contract, at, transaction, what: words().revoked, account: event.args.account }
    case 'DefaultAdminTransferScheduled':
      return { contract, at, transaction, what: words().transferBegun, account: event.args.newAdmin }
    default:
      return null
  }
}

function Changes() {
  const { events, view } = useDashboard()
  const launchBlock = createMemo(() => view()?.launchBlock ?? 0n)
  const changes = createMemo(() =>
    events()
      .filter(({ block }) => block > launchBlock())
      .map(changeOf)
      .filter((change) => change !== null)
      .reverse(),
  )
  return (
    <>
      <h2>{words().changes}</h2>
      <Show when={changes().length > 0} fallback={<p>{words().noChanges}</p>}>
        <DataTable<Change>
          label={words().changes}
          rows={changes()}
          columns={[
            { heading: words().time, cell: ({ at }) => moment(at) },
            { heading: words().contract, isText: true, cell: ({ contract }) => <AddressLink address={contract} /> },
            { heading: words().what, isText: true, cell: ({ what }) => what },
            { heading: words().account, isText: true, cell: ({ account }) => <AddressLink address={account} /> },
            { heading: words().tx, isText: true, cell: ({ transaction }) => <TransactionLink hash={transaction} /> },
          ]}
        />
      </Show>
    </>
  )
}
