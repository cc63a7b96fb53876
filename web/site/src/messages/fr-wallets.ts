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
    phone:
      'Ouvrez cette page dans le navigateur de votre portefeuille. Copiez d’abord votre prompt : certains portefeuilles ne le reprennent pas.',
    getOne: 'Obtenir un portefeuille',
    copy: 'Copier le lien de cette page',
    copyPrompt: 'Copier mon prompt',
  },
  funds: {
    checkAgain: 'Vérifier à nouveau',
    faucet: 'Obtenir des USDC de test',
    faucetBusy: 'Envoi d’USDC de test…',
    fund: (network) => `Envoyez des USDC sur ${network} à votre adresse. Cette page vérifie automatiquement.`,
    fundHelp:
      'Vous pouvez retirer des USDC d’une plateforme d’échange ou en acheter dans votre portefeuille. Choisissez-y ce réseau.',
    wrap: 'On paie en AIC sous forme wrappée. Le wrap se fait sur la page du compte.',
    wrapLink: 'Faire un wrap d’AIC',
    address: 'Votre adresse',
  },
}
