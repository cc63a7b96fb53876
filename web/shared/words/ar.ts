import type { SharedWords } from '../texts.ts'

export const shared: SharedWords = {
  tag: 'ar',
  format: {
    locale: 'ar-u-nu-latn',
    group: ',',
    decimal: '.',
    groupFrom: 4,
    dollars: (amount) => `\u2066${amount}\u00a0US$\u2069`,
    cents: (amount) => `\u2066${amount}\u00a0¢\u2069`,
    seconds: (count) => `${count}\u00a0ث`,
    minutes: (count) => `${count}\u00a0د`,
    space: ' ',
  },
  skip: 'انتقل إلى المحتوى',
  language: 'اللغة',
  theme: { label: 'الألوان', system: 'النظام', light: 'فاتح', dark: 'داكن' },
  copy: 'نسخ',
  copied: 'تم النسخ',
  notCopied: 'تعذر النسخ. حدد النص يدويًا:',
  injectedWallet: 'محفظة المتصفح',
  demoWallet: 'محفظة تجريبية',
  explorer: 'عرض في المستكشف',
}
