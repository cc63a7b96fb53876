import { Show } from 'solid-js'
import { CopyButton } from '../../../shared/copy-button.tsx'
import { HashLink } from '../../../shared/hash-link.tsx'
import { networkOf } from '../../../shared/wallet/networks.ts'
import { shortHex } from '../../../shared/wallet/provider.ts'
import { useDashboard } from '../create-dashboard.ts'
import { messages } from '../messages.ts'
import { contractNameOf } from '../model/contracts.ts'

/** The page of an address in the explorer of the dashboard's chain; null when the chain has no explorer. */
export function explorerAddress(chainId: number, address: string): string | null {
  const { explorer } = networkOf(chainId)
  return explorer === null ? null : `${explorer}/address/${address}`
}

/** An address by its name if it is one of the monitored contracts, shortened otherwise, with a link and a button to copy it. */
export function AddressLink(props: { address: string; isPlain?: boolean }) {
  const { config } = useDashboard()
  const text = (): string => {
    const name = props.isPlain ? null : contractNameOf(config, props.address)
    return name === null ? shortHex(props.address) : messages.contracts[name]
  }
  return (
    <span class="hash figures">
      <Show
        when={explorerAddress(config.chainId, props.address)}
        fallback={<span title={props.address}>{text()}</span>}
      >
        {(href) => (
          <a href={href()} target="_blank" rel="noreferrer" title={props.address}>
            {text()}
          </a>
        )}
      </Show>
      <CopyButton text={props.address} what={`${messages.address} ${shortHex(props.address)}`} />
    </span>
  )
}

/** A transaction of the dashboard's chain. */
export function TransactionLink(props: { hash: string }) {
  const { config } = useDashboard()
  return <HashLink what={messages.transaction} hash={props.hash} network={`eip155:${config.chainId}`} />
}
