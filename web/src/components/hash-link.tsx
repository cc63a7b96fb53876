import { createMemo, Show } from 'solid-js'
import { shortHex } from '../lib/browser.ts'
import { explorerLink } from '../lib/wallet/networks.ts'
import { purchaseMessages } from '../messages/active.ts'
import { CopyButton } from './copy-button.tsx'

/** A shortened transaction hash, linked to the explorer if the chain has one, with a button to copy it. */
export function HashLink(props: { hash: string; network: string | null }) {
  const link = createMemo(() => explorerLink(props.network, props.hash))
  return (
    <span class="hash figures">
      <Show when={link()} fallback={<span title={props.hash}>{shortHex(props.hash)}</span>}>
        {(href) => (
          <a href={href()} target="_blank" rel="noreferrer" title={purchaseMessages.result.viewTx}>
            {shortHex(props.hash)}
          </a>
        )}
      </Show>
      <CopyButton text={props.hash} what={purchaseMessages.result.tx} />
    </span>
  )
}
