import { createSignal } from 'solid-js'
import { service } from '../lib/api.ts'
import { saveBlob } from '../lib/files.ts'
import { pageMessages } from '../messages/active.ts'

/** Saves the signed receipt of an inference. Says so if the deployment does not sign receipts. */
export function ReceiptButton(props: { id: string }) {
  const [missing, setMissing] = createSignal(false)
  const save = async (): Promise<void> => {
    const response = await service().call(`/api/inference/${encodeURIComponent(props.id)}/receipt`)
    setMissing(!response.ok)
    if (response.ok) saveBlob(await response.blob(), `coinslot-receipt-${props.id.slice(0, 8)}.json`)
  }
  return (
    <button type="button" class="button button-quiet" onClick={() => void save()}>
      <span aria-live="polite">{missing() ? pageMessages.receipt.none : pageMessages.receipt.save}</span>
    </button>
  )
}
