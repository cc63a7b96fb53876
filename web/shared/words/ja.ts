import type { SharedWords } from '../texts.ts'

export const shared: SharedWords = {
  tag: 'ja',
  format: {
    locale: 'ja',
    group: ',',
    decimal: '.',
    groupFrom: 4,
    dollars: (amount) => `$${amount}`,
    cents: (amount) => `${amount}\u00a0セント`,
    seconds: (count) => `${count}\u00a0秒`,
    minutes: (count) => `${count}\u00a0分`,
    space: ' ',
  },
  skip: '本文へ移動',
  language: '言語',
  theme: { label: '配色', system: 'システム', light: 'ライト', dark: 'ダーク' },
  copy: 'コピー',
  copied: 'コピーしました',
  notCopied: 'コピーできませんでした。手動で選択してください：',
  injectedWallet: 'ブラウザのウォレット',
  demoWallet: 'デモウォレット',
  explorer: 'エクスプローラーで見る',
}
