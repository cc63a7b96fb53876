interface WalletApp {
  name: string
  /**
   * Address that opens a page in the wallet's own browser. On iOS it works only from a tap. Its server is sent the page's address but never
   * the draft: a draft is in the fragment of this address, or left out.
   */
  link(page: string, draft: string): string
  /** The draft goes along. */
  takesDraft: boolean
}

/** The parameter of a link that holds the page's address. Whatever is in it is sent to the wallet's server. */
const sent = (page: string): string => encodeURIComponent(page)

/** Wallets for phones that have a browser. A page is an address without query and fragment; a draft is a fragment without its sign. */
export const WALLET_APPS: readonly WalletApp[] = [
  // MetaMask takes the address without its scheme.
  {
    name: 'MetaMask',
    takesDraft: true,
    link: (page, draft) =>
      `https://link.metamask.io/dapp/${page.replace(/^https?:\/\//, '')}${draft === '' ? '' : `#${draft}`}`,
  },
  { name: 'Base', takesDraft: false, link: (page) => `https://go.cb-w.com/dapp?cb_url=${sent(page)}` },
  {
    name: 'Trust',
    takesDraft: false,
    link: (page) => `https://link.trustwallet.com/open_url?coin_id=60&url=${sent(page)}`,
  },
  {
    name: 'OKX',
    takesDraft: false,
    link: (page) =>
      `https://web3.okx.com/download?deeplink=${encodeURIComponent(`okx://wallet/dapp/url?dappUrl=${sent(page)}`)}`,
  },
]
