/** The texts for people without a wallet in this browser, or with too little in it. */
export const walletMessages = {
  waysOn: {
    qr: 'this page, with what you entered',
    desktop: 'Scan this code with the camera of your wallet’s app. The page opens there with what you entered.',
    phone: 'Open this page in the browser of your wallet. Copy your prompt first: some wallets do not take it along.',
    getOne: 'Get a wallet',
    copy: 'Copy the link to this page',
    copyPrompt: 'Copy my prompt',
  },
  pairing: {
    loading: 'Connecting to WalletConnect…',
    qr: 'connects a wallet',
    scan: 'Scan this code with your wallet’s app, then approve the connection there.',
    open: 'Open your wallet',
    copy: 'Copy the connection link',
  },
  funds: {
    checkAgain: 'Check again',
    faucet: 'Get test USDC',
    faucetBusy: 'Sending test USDC…',
    fund: (network: string) => `Send USDC on ${network} to your address. This page checks by itself.`,
    fundHelp: 'You can withdraw USDC from an exchange, or buy it in your wallet. Choose this network there.',
    wrap: 'AIC pays in its wrapped form. You can wrap AIC on the account page.',
    wrapLink: 'Wrap AIC',
    address: 'Your address',
  },
} as const
