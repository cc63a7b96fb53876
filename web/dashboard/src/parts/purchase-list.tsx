import { createSignal, Show } from 'solid-js'
import { saveBlob } from '../../../shared/files.ts'
import { aic, moment, usdc } from '../format.ts'
import { pageMessages } from '../messages.ts'
import { type Purchase, purchasesCsv } from '../model/purchases.ts'
import { DataTable } from './data-table.tsx'
import { AddressLink, TransactionLink } from './links.tsx'

const words = () => pageMessages.sale
const PAGE = 25

/** The purchases, the newest first, 25 at a time. */
export function PurchaseList(props: { purchases: readonly Purchase[] }) {
  const [count, setCount] = createSignal(PAGE)
  const save = (): void => {
    saveBlob(new Blob([purchasesCsv(props.purchases)], { type: 'text/csv' }), words().csvName)
  }
  return (
    <Show when={props.purchases.length > 0} fallback={<p>{words().empty}</p>}>
      <DataTable
        label={words().list}
        rows={props.purchases.slice(0, count())}
        columns={[
          { heading: words().time, cell: ({ at }) => moment(at) },
          { heading: words().buyer, isText: true, cell: ({ buyer }) => <AddressLink address={buyer} /> },
          { heading: words().phase, cell: ({ phaseId }) => phaseId },
          { heading: words().usdc, cell: (purchase) => usdc(purchase.usdc) },
          { heading: words().aic, cell: (purchase) => aic(purchase.aic) },
          { heading: words().price, cell: ({ price }) => usdc(price) },
          {
            heading: words().relayer,
            isText: true,
            cell: ({ relayer }) => (relayer === null ? words().self : <AddressLink address={relayer} />),
          },
          { heading: words().tx, isText: true, cell: ({ transaction }) => <TransactionLink hash={transaction} /> },
        ]}
      />
      <p class="actions list-actions">
        <Show when={props.purchases.length > count()}>
          <button type="button" class="button button-quiet" onClick={() => setCount(count() + PAGE)}>
            {words().older}
          </button>
        </Show>
        <button type="button" class="button button-quiet" onClick={save}>
          {words().csv}
        </button>
      </p>
    </Show>
  )
}
