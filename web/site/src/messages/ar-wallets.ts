import type { WalletMessages } from './active.ts'

export const walletMessages: WalletMessages = {
  pairing: {
    loading: 'جارٍ الاتصال بـ WalletConnect…',
    qr: 'لربط محفظة',
    scan: 'امسح هذا الرمز بتطبيق محفظتك، ثم وافق على الاتصال هناك.',
    open: 'افتح محفظتك',
    copy: 'نسخ رابط الاتصال',
  },
  waysOn: {
    qr: 'هذه الصفحة مع ما أدخلته',
    desktop: 'امسح هذا الرمز بكاميرا تطبيق محفظتك. ستفتح الصفحة هناك مع ما أدخلته.',
    phone: 'افتح هذه الصفحة في متصفح محفظتك. انسخ وصفك أولًا، فبعض المحافظ لا تنقله معك.',
    getOne: 'احصل على محفظة',
    copy: 'نسخ رابط هذه الصفحة',
    copyPrompt: 'نسخ وصفي',
  },
  funds: {
    checkAgain: 'تحقق مرة أخرى',
    faucet: 'احصل على USDC تجريبي',
    faucetBusy: 'جارٍ إرسال USDC تجريبي…',
    fund: (network) => `أرسل USDC عبر ${network} إلى عنوانك. تتحقق هذه الصفحة تلقائيًا.`,
    fundHelp: 'يمكنك سحب USDC من منصة تداول أو شراؤه في محفظتك. اختر هذه الشبكة هناك.',
    wrap: 'الدفع بـ AIC يكون بصيغته المغلّفة. يمكنك تغليف AIC في صفحة الحساب.',
    wrapLink: 'غلّف AIC',
    address: 'عنوانك',
  },
}
