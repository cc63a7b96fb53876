import type { SharedWords } from '../texts.ts'

export const shared: SharedWords = {
  tag: 'de',
  format: {
    locale: 'de',
    group: '.',
    decimal: ',',
    groupFrom: 4,
    dollars: (amount) => `${amount}\u00a0$`,
    cents: (amount) => `${amount}\u00a0¢`,
    seconds: (count) => `${count}\u00a0s`,
    minutes: (count) => `${count}\u00a0Min.`,
    space: ' ',
  },
  skip: 'Zum Inhalt',
  language: 'Sprache',
  theme: { label: 'Farben', system: 'System', light: 'Hell', dark: 'Dunkel' },
  copy: 'Kopieren',
  copied: 'Kopiert',
  notCopied: 'Kopieren nicht möglich. Markiere den Text selbst:',
  injectedWallet: 'Browser-Wallet',
  demoWallet: 'Demo-Wallet',
  explorer: 'Im Explorer ansehen',
}
