import { createMemo, For, Show } from 'solid-js'
import { hexToString } from 'viem'
import { useDashboard } from '../create-dashboard.ts'
import { aic, moment, usdc } from '../format.ts'
import { messages, pageMessages } from '../messages.ts'
import { type EventOf, named } from '../reads/events.ts'
import { DataTable } from './data-table.tsx'
import { AddressLink, TransactionLink } from './links.tsx'

const words = () => pageMessages.treasury
const MOST_ROWS = 20

/** The last payments of the vaults, and who can be paid. */
export function Spending() {
  const { events, config, roles } = useDashboard()
  const spent = createMemo(() => named(events(), 'Spent').slice(-MOST_ROWS).reverse())
  const payees = () => (roles()?.operators ?? []).filter((vault) => vault.payees.length > 0)
  const amountOf = ({ args }: EventOf<'Spent'>): string => {
    const token = args.token.toLowerCase()
    if (token === config.usdc.toLowerCase()) return messages.usdc(usdc(args.amount))
    if (token === config.addresses.aicToken.toLowerCase()) return messages.aic(aic(args.amount))
    return String(args.amount)
  }
  return (
    <>
      <h2>{words().spending}</h2>
      <Show when={spent().length > 0} fallback={<p>{words().noSpending}</p>}>
        <DataTable<EventOf<'Spent'>>
          label={words().spending}
          rows={spent()}
          columns={[
            { heading: words().time, cell: ({ at }) => moment(at) },
            { heading: words().vault, isText: true, cell: ({ contract }) => <AddressLink address={contract} /> },
            { heading: words().sum, cell: amountOf },
            { heading: words().to, isText: true, cell: ({ args }) => <AddressLink address={args.to} /> },
            { heading: words().memo, isText: true, cell: ({ args }) => memoOf(args.memo) },
            { heading: words().tx, isText: true, cell: ({ transaction }) => <TransactionLink hash={transaction} /> },
          ]}
        />
      </Show>
      <h2>{words().payees}</h2>
      <Show when={payees().length > 0} fallback={<p>{words().noPayees}</p>}>
        <dl class="payees">
          <For each={payees()}>
            {({ vault, payees: allowed }) => (
              <div>
                <dt>{messages.vaults[vault]}</dt>
                <For each={allowed}>
                  {(address) => (
                    <dd>
                      <AddressLink address={address} />
                    </dd>
                  )}
                </For>
              </div>
            )}
          </For>
        </dl>
      </Show>
    </>
  )
}

/** A memo as text if it is printable, else as it is. */
function memoOf(memo: `0x${string}`): string {
  const text = hexToString(memo, { size: 32 })
  return /^[\x20-\x7e]*$/.test(text) ? text : memo
}
