import type { SharedWords } from '../texts.ts'

export const shared: SharedWords = {
  tag: 'zh-Hans',
  format: {
    locale: 'zh-Hans',
    group: ',',
    decimal: '.',
    groupFrom: 4,
    dollars: (amount) => `US$${amount}`,
    cents: (amount) => `${amount}\u00a0美分`,
    seconds: (count) => `${count}\u00a0秒`,
    minutes: (count) => `${count}\u00a0分钟`,
    space: ' ',
  },
  skip: '跳到正文',
  language: '语言',
  theme: { label: '颜色', system: '跟随系统', light: '浅色', dark: '深色' },
  copy: '复制',
  copied: '已复制',
  notCopied: '无法复制，请手动选择：',
  injectedWallet: '浏览器钱包',
  demoWallet: '演示钱包',
  explorer: '在区块浏览器中查看',
}
