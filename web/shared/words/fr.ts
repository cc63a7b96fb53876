import type { SharedWords } from '../texts.ts'

export const shared: SharedWords = {
  tag: 'fr',
  format: {
    locale: 'fr',
    group: '\u202f',
    decimal: ',',
    groupFrom: 4,
    dollars: (amount) => `${amount}\u00a0$US`,
    cents: (amount) => `${amount}\u00a0¢`,
    seconds: (count) => `${count}\u00a0s`,
    minutes: (count) => `${count}\u00a0min`,
    space: ' ',
  },
  skip: 'Aller au contenu',
  language: 'Langue',
  theme: { label: 'Couleurs', system: 'Système', light: 'Clair', dark: 'Sombre' },
  copy: 'Copier',
  copied: 'Copié',
  notCopied: 'Copie impossible. Sélectionnez le texte à la main\u00a0:',
  injectedWallet: 'Portefeuille du navigateur',
  demoWallet: 'Portefeuille de démo',
  explorer: 'Voir dans l’explorateur',
}
