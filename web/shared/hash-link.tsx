import { createMemo, Show } from 'solid-js'
import { CopyButton } from './copy-button.tsx'
import { shared } from './texts.ts'
import { explorerLink } from './wallet/networks.ts'
import { shortHex } from './wallet/provider.ts'

/** A shortened transaction hash, linked to the explorer if the chain has one, with a button to copy it. */
export function HashLink(props: { hash: string; network: string | null; what: string }) {
  const link = createMemo(() => explorerLink(props.network, props.hash))
  return (
    <span class="hash figures">
      <Show when={link()} fallback={<span title={props.hash}>{shortHex(props.hash)}</span>}>
        {(href) => (
          <a href={href()} target="_blank" rel="noreferrer" title={shared.explorer}>
            {shortHex(props.hash)}
          </a>
        )}
      </Show>
      <CopyButton text={props.hash} what={props.what} />
    </span>
  )
}
