import { Show } from 'solid-js'
import { HashLink } from '../../../shared/hash-link.tsx'
import { formatMoment } from '../../../shared/time.ts'
import type { Refund } from '../lib/records/inference.ts'
import { messages, purchaseMessages } from '../messages/active.ts'
import { at } from '../messages/load.ts'

const text = () => purchaseMessages.stopped

/** What is known of a payment whose run failed. */
export interface Charge {
  /** With its symbol, or null if it is not known. */
  amount: string | null
  transaction: string | null
  network: string | null
  /** The id of the inference, for the operator. */
  reference: string | null
  refund?: Refund | null
}

/** What was charged, its transaction, and how a refund is made. */
export function ChargedNote(props: { charge: Charge }) {
  return (
    <div class="charged">
      <p class="problem-money">
        {props.charge.amount === null ? text().settled : text().charged(props.charge.amount)}{' '}
        <Show when={props.charge.transaction}>
          {(hash) => <HashLink what={purchaseMessages.result.tx} hash={hash()} network={props.charge.network} />}
        </Show>
      </p>
      <Show when={props.charge.refund}>
        {(refund) => (
          <p>
            <RefundLine refund={refund()} network={props.charge.network} />
          </p>
        )}
      </Show>
      <p>
        {text().refund}{' '}
        <a href={at('/refunds')} rel="external">
          {messages.footer.refunds}
        </a>
      </p>
      <Show when={props.charge.reference}>{(id) => <p class="figures hash">{text().reference(id())}</p>}</Show>
    </div>
  )
}

/** Whether a refund is owed or was made, with its transaction where one is known. */
export function RefundLine(props: { refund: Refund; network: string | null }) {
  return (
    <>
      {props.refund.status === 'owed' ? text().owed : text().refunded(formatMoment(props.refund.refundedAt ?? ''))}{' '}
      <Show when={props.refund.transaction}>
        {(hash) => <HashLink what={purchaseMessages.result.tx} hash={hash()} network={props.network} />}
      </Show>
    </>
  )
}
