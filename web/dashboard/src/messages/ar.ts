import { pluralOf } from '../../../shared/texts.ts'
import { shared } from '../../../shared/words/ar.ts'
import type { Messages } from './active.ts'

export { pageMessages } from './ar-pages.ts'
export { shared }

const plural = pluralOf(shared.format.locale)

export const messages: Messages = {
  title: (page) => `${page} · لوحة AIC · Coinslot`,
  brand: 'Coinslot',
  name: 'لوحة AIC',
  lead: 'البيع المسبق لـ AIC وخزائنه والاستلام والأدوار وفحوص الإطلاق، مقروءة من السلسلة.',
  noScript: 'تقرأ هذه الصفحة السلسلة في متصفحك، وتحتاج إلى JavaScript لذلك.',
  nav: {
    label: 'الصفحات',
    sale: 'البيع',
    treasury: 'الأموال',
    token: 'الرمز',
    roles: 'الأدوار',
    checklist: 'الفحوص',
  },
  footer: 'يقرؤها هذا المتصفح من السلسلة. لا يسأل أي خادم لنا، ولا يغيّر شيئًا.',
  loading: 'جارٍ قراءة السلسلة',
  unread: 'تعذّرت القراءة',
  unknown: 'غير معروف',
  none: 'لا شيء',
  status: {
    label: 'حالة هذه الأرقام',
    live: (network, block) => `${network}، الكتلة ${block}`,
    ago: (seconds) => (seconds < 2 ? 'الآن' : `قبل ${seconds} ث`),
    reading: (network) => `${network}: جارٍ قراءة السلسلة للمرة الأولى`,
    behind: (message) => `العقدة متأخرة. ${message} الأرقام أدناه هي أحدث ما أعادته.`,
    unreachable: (message) => `العقدة لا تستجيب: ${message}`,
    kept: (time) => `الأرقام أدناه بتاريخ ${time}.`,
    retry: 'تُسأل من جديد كل خمس ثوانٍ.',
    partial: (block, blocks) =>
      `لا تبحث هذه العقدة إلا في ${blocks} كتلة في كل استدعاء، لذلك لم تُقرأ الأحداث قبل الكتلة ${block}. الأرصدة والمجاميع والتواريخ كاملة. استخدم عقدة بمدى أكبر لرؤية كل الأحداث.`,
    purchasesMissing: 'ما زالت المشتريات الأقدم تُقرأ، كتلة بعد كتلة.',
    dropped: (count) =>
      plural(count, {
        one: 'استُبدل حدث واحد بسبب إعادة تنظيم السلسلة.',
        two: 'استُبدل حدثان بسبب إعادة تنظيم السلسلة.',
        few: `استُبدلت ${count} أحداث بسبب إعادة تنظيم السلسلة.`,
        many: `استُبدل ${count} حدثًا بسبب إعادة تنظيم السلسلة.`,
        other: `استُبدل ${count} حدث بسبب إعادة تنظيم السلسلة.`,
      }),
    unread: (reason) => `تعذّرت قراءة جزء: ${reason}`,
  },
  notConfigured: {
    title: 'البيع المسبق غير مهيأ',
    local: 'لا يوجد بيع مسبق في هذه البيئة المحلية. شغّلها مع بيع مسبق ثم أعد تحميل الصفحة.',
    built: 'هذه المتغيرات ناقصة. عيّنها ثم أعد بناء اللوحة.',
  },
  notLoaded: 'تعذّر بدء اللوحة. أعد تحميل الصفحة.',
  alerts: {
    title: 'للانتباه',
    fine: 'لا شيء غير معتاد.',
    severity: { bad: 'عاجل', warn: 'ملاحظة' },
    nodeBehind: (time) => `عمر أحدث كتلة في هذه العقدة ${time}.`,
    paused: (contract, until) => `${contract}: متوقف مؤقتًا حتى ${until}. ينتهي الإيقاف تلقائيًا.`,
    pauseAlmostUsed: (contract, hours) => `${contract}: استُخدم ${hours} من 72 ساعة الإيقاف.`,
    notFinalized: (since) => `انتهى البيع في ${since} ولم يُعتمد نهائيًا. يمكن لأي شخص استدعاء finalize.`,
    notRouted: (vault, amount) => `${vault}: ${amount} مستحقة منذ أكثر من يوم. يمكن لأي شخص استدعاء route.`,
    claimsNotCovered: (amount) => `ينقص وحدة الاستلام ${amount} مما تدين به للمشترين.`,
    muchSpent: (vault, percent) => `${vault}: أُنفق \u2066${percent}%\u2069 من أحد الرموز خلال يوم.`,
    adminChanging: (contract, to, from) => `${contract}: سيصبح المدير ${to} ابتداءً من ${from}.`,
    roleChanged: (contract, account, granted, at) =>
      granted ? `${contract}: مُنح ${account} دورًا في ${at}.` : `${contract}: سُحب دور من ${account} في ${at}.`,
    payeeChanged: (contract, account, granted, at) =>
      granted
        ? `${contract}: يمكن الدفع إلى ${account} منذ ${at}.`
        : `${contract}: لم يعد يمكن الدفع إلى ${account} منذ ${at}.`,
    check: (check, detail) => `الفحوص، ${check}: ${detail}.`,
  },
  contracts: {
    presale: 'البيع المسبق',
    presaleVault: 'خزنة البيع المسبق',
    claimModule: 'وحدة الاستلام',
    liquidityVault: 'خزنة السيولة',
    devVault: 'خزنة التطوير',
    teamVault: 'خزنة الفريق',
    marketingVault: 'خزنة التسويق',
    aicToken: 'رمز AIC',
    usdc: 'USDC',
    staking: 'التخزين',
    wrapped: 'AIC المغلّف',
    splitter: 'موزّع المدفوعات',
  },
  allocations: {
    Community: 'المجتمع',
    Team: 'الفريق',
    Investors: 'المستثمرون',
    Treasury: 'الخزينة',
    Incentives: 'الحوافز',
    Liquidity: 'السيولة',
  },
  vaults: { liquidity: 'خزنة السيولة', dev: 'خزنة التطوير', team: 'خزنة الفريق', marketing: 'خزنة التسويق' },
  accounts: {
    safe: (threshold, owners) =>
      owners === 0 ? `متعدد التوقيع، ${threshold} توقيعات` : `متعدد التوقيع، ${threshold} من ${owners}`,
    contract: 'عقد آخر',
    key: 'مفتاح واحد',
  },
  chart: { table: 'عرض كجدول', day: 'اليوم', week: 'أسبوع', total: 'المجموع', running: 'التراكمي' },
  usdc: (amount) => `\u2066${amount} USDC\u2069`,
  aic: (amount) => `\u2066${amount} AIC\u2069`,
  hours: (hours) => `${hours} ساعة`,
  address: 'العنوان',
  transaction: 'المعاملة',
}
