import type { WalletMessages } from './active.ts'

export const walletMessages: WalletMessages = {
  pairing: {
    loading: 'Connexion à WalletConnect…',
    qr: 'connecte un portefeuille',
    scan: 'Scannez ce code avec l’app de votre portefeuille, puis approuvez-y la connexion.',
    open: 'Ouvrir votre portefeuille',
    copy: 'Copier le lien de connexion',
  },
  waysOn: {
    qr: 'cette page, avec ce que vous avez saisi',
    desktop:
      'Scannez ce code avec l’appareil photo de l’app de votre portefeuille. La page s’y ouvre avec ce que vous avez saisi.',
    phone: 'Ouvrez cette page dans le navigateur de votre portefeuille. Ce que vous avez saisi vous suit.',
    getOne: 'Obtenir un portefeuille',
    copy: 'Copier le lien de cette page',
  },
  funds: {
    checkAgain: 'Vérifier à nouveau',
    faucet: 'Obtenir des USDC de test',
    faucetBusy: 'Envoi d’USDC de test…',
    fund: (network) => `Envoyez des USDC sur ${network} à votre adresse. Cette page vérifie automatiquement.`,
    fundHelp:
      'Vous pouvez retirer des USDC d’une plateforme d’échange ou en acheter dans votre portefeuille. Choisissez-y ce réseau.',
    wrap: 'On paie en AIC sous sa forme enveloppée. Vous pouvez envelopper des AIC sur la page du compte.',
    wrapLink: 'Envelopper des AIC',
    address: 'Votre adresse',
  },
}
