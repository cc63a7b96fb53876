import { pluralOf } from '../../../shared/texts.ts'
import { shared } from '../../../shared/words/ar.ts'
import type { Messages } from './active.ts'

const plural = pluralOf(shared.format.locale)

export const later = {
  purchase: () => import('./ar-purchase.ts'),
  wallets: () => import('./ar-wallets.ts'),
  pages: () => import('./ar-pages.ts'),
  service: () => import('./ar-service.ts'),
}

export const messages: Messages = {
  shared,
  name: 'Coinslot',
  title: 'Coinslot: ادفع سنتًا واحصل على صورة',
  nav: {
    label: 'التنقل الرئيسي',
    studio: 'الاستوديو',
    history: 'السجل',
    models: 'النماذج',
    stats: 'الإحصاءات',
    docs: 'الوثائق',
    account: 'الحساب',
    running: 'قيد التنفيذ',
  },
  footer: {
    line: 'ادفع مقابل كل نتيجة. بلا حساب ولا اشتراك ولا رسوم غاز.',
    docs: 'API (بالإنجليزية)',
    problems: 'قائمة الأخطاء (بالإنجليزية)',
    receipt: 'تحقق من إيصال',
    status: 'حالة الخدمة',
    refunds: 'الاسترداد',
    terms: 'الشروط',
    privacy: 'الخصوصية',
    contact: 'تواصل معنا',
  },
  common: {
    cancel: 'إلغاء',
    close: 'إغلاق',
    retry: 'أعد المحاولة',
    loading: 'جارٍ التحميل',
    usdc: (amount) => `\u2066${amount} USDC\u2069`,
    aic: (amount) => `\u2066${amount} AIC\u2069`,
    wrappedAic: 'AIC مغلّف',
    // An Arabic word after the symbol is read after the amount.
    money: (amount, symbol) => `\u2066${amount}\u00a0${symbol.replace(' ', '\u2069 ')}\u2069`,
  },
  tasks: { 'text-to-image': 'صورة', 'text-to-text': 'نص', 'text-to-sound': 'صوت' },
  tiers: { free: 'مجاني', standard: 'قياسي', premium: 'مميز' },
  lock: {
    standard: 'لمن يملك \u2066500 AIC\u2069',
    premium: 'لمن خزّن \u20665,000 AIC\u2069',
    free: '',
    label: 'مقفل لهذه المحفظة',
    why: (tier, rule) => `نموذج ${tier}. ${rule}.`,
    later: (rule) => `${rule}، ومتاح للجميع حالياً.`,
    away: 'هذا النموذج غير متاح الآن.',
    use: (model) => `استخدم ${model}`,
    stake: 'خزّن AIC',
    signIn: 'سجّل الدخول بمحفظة مناسبة',
  },
  studio: {
    // The second sentence stays on one line.
    headline: 'ادفع سنتًا. احصل\u00a0على\u00a0صورة.',
    sub: 'أو نص أو صوت. سجّل الدخول مرة، ثم وقّع مرة لكل نتيجة. بلا رسوم غاز. ما تصنعه ملكك.',
    task: 'ماذا تريد أن تصنع',
    prompt: {
      'text-to-image': 'صِف الصورة',
      'text-to-text': 'اسأل، أو صِف النص الذي تريده',
      'text-to-sound': 'صِف الصوت، أو اكتب ما سيُقال',
    },
    examples: 'جرّب مثالًا',
    model: 'النموذج',
    perRun: 'لكل نتيجة',
    settings: 'الإعدادات',
    seedRoll: 'بذرة عشوائية',
    seedAny: 'عشوائي',
    pay: (price) => `ادفع ${price} وأنشئ`,
    payUnpriced: 'ادفع وأنشئ',
    busy: 'جارٍ الإنشاء…',
    emptyPrompt: 'اكتب وصفًا أولًا.',
    tooLong: (most) => `النص طويل جدًا: ${most} حرف على الأكثر.`,
    sum: (cost, seconds, rate) => `\u2066${cost} = ${seconds}\u00a0s × ${rate}\u00a0USDC\u2069`,
    sumDiscount: (percent) => `، مع خصم تخزين \u2066${percent}%\u2069`,
    sumPlain: (cost, seconds) => `${cost} · نحو ${seconds}`,
    count: (pictures) =>
      plural(pictures, {
        two: 'سعر واحد للصورتين',
        few: `سعر واحد لـ ${pictures} صور`,
        other: `سعر واحد لـ ${pictures} صورة`,
      }),
    noGas: 'بلا رسوم غاز',
    standIn: 'عرض محلي: نماذج بديلة. برامج صغيرة على هذا الجهاز تصنع النتائج، ولا تعمل هذه النماذج فعليًا.',
    result: 'النتيجة',
    made: 'أمثلة',
    madeBy: 'بالمحركات المدمجة في هذا البرنامج. اختر واحدة لتبدأ من وصفها.',
    resultEmpty: 'ستظهر نتيجتك هنا.',
    resultHint: 'لكل نتيجة نقش خاص بها، مرسوم من دفعتها.',
    modelsFailed: 'تعذّر تحميل النماذج.',
  },
  wallet: { connect: 'ربط المحفظة', signOut: 'تسجيل الخروج', menu: 'المحفظة' },
  errors: {
    title: 'حدث خطأ.',
    help: 'مدفوعاتك آمنة: فهي مسجلة على السلسلة وعلى الخادم.',
    notLoaded: 'تعذّر تحميل هذا الجزء من الصفحة.',
    payingNotLoaded: 'تعذّر تحميل صفحة الدفع. لم يُوقَّع شيء ولم يُخصم شيء.',
    reload: 'أعد تحميل الصفحة',
    openResult: 'افتح النتيجة',
    offline: 'تعذّر الوصول إلى الخدمة. تحقق من اتصالك.',
  },
}
