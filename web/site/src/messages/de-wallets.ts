import type { WalletMessages } from './active.ts'

export const walletMessages: WalletMessages = {
  pairing: {
    loading: 'Verbindung zu WalletConnect…',
    qr: 'verbindet eine Wallet',
    scan: 'Scanne diesen Code mit der App deiner Wallet und bestätige dort die Verbindung.',
    open: 'Wallet öffnen',
    copy: 'Verbindungslink kopieren',
  },
  waysOn: {
    qr: 'diese Seite mit deinen Eingaben',
    desktop: 'Scanne diesen Code mit der Kamera deiner Wallet-App. Die Seite öffnet sich dort mit deinen Eingaben.',
    phone:
      'Öffne diese Seite im Browser deiner Wallet. Kopiere vorher deinen Prompt: Manche Wallets übernehmen ihn nicht.',
    getOne: 'Wallet einrichten',
    copy: 'Link zu dieser Seite kopieren',
    copyPrompt: 'Meinen Prompt kopieren',
  },
  funds: {
    checkAgain: 'Erneut prüfen',
    faucet: 'Test-USDC holen',
    faucetBusy: 'Test-USDC wird gesendet…',
    fund: (network) => `Sende USDC über ${network} an deine Adresse. Diese Seite prüft automatisch.`,
    fundHelp: 'Du kannst USDC von einer Börse auszahlen oder in deiner Wallet kaufen. Wähle dort dieses Netzwerk.',
    wrap: 'Gezahlt wird mit Wrapped AIC. Du kannst AIC auf der Kontoseite wrappen.',
    wrapLink: 'AIC wrappen',
    address: 'Deine Adresse',
  },
}
