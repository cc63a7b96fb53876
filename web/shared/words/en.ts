import type { SharedWords } from '../texts.ts'

/** The words of every site in English, and how it writes numbers, prices and durations. */
export const shared: SharedWords = {
  tag: 'en',
  format: {
    locale: 'en',
    group: ',',
    decimal: '.',
    groupFrom: 4,
    dollars: (amount) => `$${amount}`,
    cents: (amount) => `${amount}\u00a0¢`,
    seconds: (count) => `${count}\u00a0s`,
    minutes: (count) => `${count}\u00a0min`,
    space: ' ',
  },
  skip: 'Skip to content',
  language: 'Language',
  theme: { label: 'Colours', system: 'System', light: 'Light', dark: 'Dark' },
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Could not copy. Select it:',
  injectedWallet: 'Browser wallet',
  demoWallet: 'Demo wallet',
  explorer: 'View on the explorer',
}
