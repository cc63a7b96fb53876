import { Show } from 'solid-js'
import type { Refund } from '../lib/records/inference.ts'
import { formatMoment } from '../lib/time.ts'
import { purchaseMessages } from '../messages/active.ts'
import { HashLink } from './hash-link.tsx'

/** Whether a refund is owed or was made, with its transaction where one is known. */
export function RefundLine(props: { refund: Refund; network: string | null }) {
  const text = () => purchaseMessages.stopped
  return (
    <>
      {props.refund.status === 'owed' ? text().owed : text().refunded(formatMoment(props.refund.refundedAt ?? ''))}{' '}
      <Show when={props.refund.transaction}>{(hash) => <HashLink hash={hash()} network={props.network} />}</Show>
    </>
  )
}
