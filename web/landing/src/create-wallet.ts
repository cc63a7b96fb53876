import { type Accessor, createSignal, onCleanup } from 'solid-js'
import type { Hex } from 'viem'
import { createWalletOptions } from '../../shared/create-wallet-options.ts'
import { keepSetting, siteStorage } from '../../shared/storage.ts'
import { type WalletTrouble, walletTrouble, walletWords } from '../../shared/wallet/errors.ts'
import { firstAccount, type WalletOption } from '../../shared/wallet/provider.ts'

/** The same key as on the main site: one choice for both, where they share an origin. */
const LAST_WALLET = 'coinslot.wallet'

export interface ConnectedWallet {
  option: WalletOption
  address: Hex
}

export interface SaleWallet {
  options: Accessor<WalletOption[]>
  wallet: Accessor<ConnectedWallet | null>
  /** Why the last connection failed. */
  trouble: Accessor<{ trouble: WalletTrouble; said: string } | null>
  connect(option: WalletOption): Promise<void>
  disconnect(): void
}

/** The wallet of the browser. The one of the last visit connects again by itself, without a prompt. */
export function createWallet(chainId: number): SaleWallet {
  const [wallet, setWallet] = createSignal<ConnectedWallet | null>(null)
  const [trouble, setTrouble] = createSignal<{ trouble: WalletTrouble; said: string } | null>(null)
  let stop = (): void => undefined
  onCleanup(() => stop())

  function use(option: WalletOption, accounts: unknown): boolean {
    const address = firstAccount(accounts)
    setWallet(address === null ? null : { option, address: asHex(address) })
    return address !== null
  }

  function listen(option: WalletOption): void {
    stop()
    const onAccounts = (accounts: unknown): void => void use(option, accounts)
    option.provider.on?.('accountsChanged', onAccounts)
    stop = () => option.provider.removeListener?.('accountsChanged', onAccounts)
  }

  async function reconnect(found: readonly WalletOption[]): Promise<void> {
    const option = found.find(({ id }) => id === siteStorage().getItem(LAST_WALLET))
    if (wallet() !== null || option === undefined || option.remote !== undefined) return
    const accounts = await option.provider.request({ method: 'eth_accounts' }).catch(() => [])
    if (wallet() === null && use(option, accounts)) listen(option)
  }

  const { options } = createWalletOptions(
    (found) => void reconnect(found),
    async () => [chainId],
  )
  return {
    options,
    wallet,
    trouble,
    async connect(option) {
      setTrouble(null)
      try {
        if (!use(option, await option.provider.request({ method: 'eth_requestAccounts' }))) {
          setTrouble({ trouble: 'locked', said: '' })
          return
        }
        listen(option)
        keepSetting(LAST_WALLET, option.id)
      } catch (error) {
        setTrouble({ trouble: walletTrouble(error), said: walletWords(error) })
      }
    },
    disconnect() {
      stop()
      keepSetting(LAST_WALLET, null)
      setWallet(null)
    },
  }
}

const asHex = (address: string): Hex => `0x${address.slice(2)}`
