interface WalletApp {
  name: string
  /** Address that opens a page in the wallet's own browser. On iOS it works only from a tap. */
  link(page: string): string
}

/** Wallets for phones that have a browser. */
export const WALLET_APPS: readonly WalletApp[] = [
  // MetaMask takes the address without its scheme.
  { name: 'MetaMask', link: (page) => `https://link.metamask.io/dapp/${page.replace(/^https?:\/\//, '')}` },
  { name: 'Base', link: (page) => `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(page)}` },
  { name: 'Trust', link: (page) => `https://link.trustwallet.com/open_url?coin_id=60&url=${encodeURIComponent(page)}` },
  {
    name: 'OKX',
    link: (page) =>
      `https://web3.okx.com/download?deeplink=${encodeURIComponent(`okx://wallet/dapp/url?dappUrl=${encodeURIComponent(page)}`)}`,
  },
]
