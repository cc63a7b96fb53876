import type { Messages } from './active.ts'
import type { Times } from './times.ts'

export { shared } from '../../../shared/words/ar.ts'

/** An amount and its unit, which a text from right to left would put in the other order. */
const ltr = (text: string): string => `\u2066${text}\u2069`

export const messages: Messages = {
  brand: 'البيع المسبق لـ AIC',
  title: (page) => `${page} · البيع المسبق لـ AIC`,
  nav: { label: 'التنقل الرئيسي', sale: 'البيع', claim: 'الاستلام', token: 'الرمز' },
  noScript: 'تقرأ هذه الصفحة بيانات البيع في متصفحك، وتحتاج إلى JavaScript لذلك.',
  footer: 'لم تُدقَّق من جهة خارجية. لا يمكن لأحد تغيير الأسعار أو الحدود أو العناوين.',
  loading: 'جارٍ قراءة البيع من السلسلة…',
  unreachable: 'العقدة لا تستجيب. قد تكون الأرقام قديمة؛ تحاول الصفحة من جديد تلقائيًا.',
  partMissing: 'تعذّر تحميل هذا الجزء من الصفحة. أعد تحميل الصفحة وحاول من جديد.',
  notLoaded: (why) => `هذه الصفحة غير مهيأة: ${why}`,
  wallet: {
    title: 'اربط محفظة للشراء',
    claimTitle: 'اربط المحفظة التي اشترت',
    none: 'لا توجد محفظة في هذا المتصفح. ثبّت واحدة أو افتح هذه الصفحة في متصفح تطبيق محفظتك.',
    change: 'قطع الاتصال',
    account: 'محفظتك',
  },
  hero: {
    title: 'اشترِ AIC، رمز Coinslot',
    lead: 'تخزين AIC يجعل كل صورة ونص وصوت على Coinslot أرخص بنسبة تصل إلى \u206650%\u2069.',
  },
  stages: {
    waiting: (time) => `يبدأ البيع في ${time}.`,
    open: (id) => `المرحلة ${id} مفتوحة`,
    other: (lead, open) => `أُعدّت هذه الصفحة للمرحلة ${lead}؛ والمعروض للبيع الآن هو المرحلة ${open}.`,
    sold_out: (id) => `نفدت المرحلة ${id}.`,
    next: (id, time) => `تبدأ المرحلة ${id} في ${time}.`,
    between: (id, time) => `لا توجد مرحلة جارية الآن. تبدأ المرحلة ${id} في ${time}.`,
    paused: (time) => `الشراء متوقف مؤقتًا حتى ${time} ثم يُستأنف تلقائيًا. الأموال المدفوعة محفوظة في الضمان وآمنة.`,
    ended: 'انتهى البيع وبلغ الحد الأدنى (Soft Cap).',
    missed: 'انتهى البيع ولم يبلغ الحد الأدنى (Soft Cap). يمكن لكل مشترٍ استرداد كل ما دفعه من USDC.',
    finalized: 'البيع نهائي. أصبح AIC ملكًا للمشترين.',
    cancelled: 'أُلغي البيع. يمكن لكل مشترٍ استرداد كل ما دفعه من USDC.',
    leave: (time) => `استُنفدت مدة الإيقاف. يمكنك استرداد USDC الخاص بك حتى ${time}.`,
  },
  figures: {
    label: 'البيع بالأرقام',
    price: 'سعر \u20661 AIC\u2069',
    left: 'المتبقي في هذه المرحلة',
    ends: 'تنتهي المرحلة بعد',
    raised: 'المبلغ المجموع',
    softCap: (amount) => `الحد الأدنى (Soft Cap): ${ltr(`${amount} USDC`)}`,
    hardCap: (amount) => `الحد الأقصى (Hard Cap): ${ltr(`${amount} USDC`)}`,
    progress: 'المجموع من الحد الأقصى',
  },
  phases: {
    title: 'قائمة الأسعار',
    phase: 'المرحلة',
    price: 'USDC لكل AIC',
    amount: 'AIC المعروض',
    sold: 'المباع',
    starts: 'البداية',
    ends: 'النهاية',
    walletCap: 'الحد لكل محفظة',
  },
  form: {
    title: 'الشراء',
    usdc: 'تدفع، بعملة USDC',
    gets: 'تحصل على',
    aic: (amount) => ltr(`${amount} AIC`),
    balance: (amount) => `لديك ${ltr(`${amount} USDC`)}.`,
    left: (amount) => `ما زال بإمكانك الشراء بمبلغ ${ltr(`${amount} USDC`)}.`,
    most: 'اشترِ أقصى ما يمكن',
    buy: 'اشترِ AIC',
    faucet: 'احصل على \u2066100 USDC\u2069 تجريبية',
    gas: 'تدفع محفظتك رسوم الشبكة.',
    done: 'تم. حُجز AIC لك، ويمكنك استلامه بعد البيع.',
  },
  faults: {
    malformed: 'أدخل مبلغًا مثل 250 أو 250.50.',
    too_small: (least) => `أقل عملية شراء هي ${ltr(`${least} USDC`)}.`,
    over_wallet_cap: (left) => `يمكن لهذه المحفظة أن تنفق ${ltr(`${left} USDC`)} إضافية في هذه المرحلة.`,
    over_phase: (left) => `بقي في هذه المرحلة ${ltr(`${left} AIC`)}.`,
    over_balance: (held) => `لديك ${ltr(`${held} USDC`)}. أضف المزيد أو اشترِ بمبلغ أقل.`,
  },
  steps: {
    prompt: 'أكّد في محفظتك…',
    permit: 'وقّع الإذن في محفظتك…',
    approve: 'اسمح بالمقدار في محفظتك…',
    send: 'أكّد المعاملة في محفظتك…',
    wait: 'بانتظار السلسلة…',
  },
  ends: {
    done: 'تم.',
    reverted: 'أُدرجت المعاملة وفشلت. لم تُنفق إلا رسوم الشبكة.',
    replaced: 'استبدلت محفظتك المعاملة. الأرقام هنا هي أرقام السلسلة.',
    unseen: 'تقول محفظتك إن العملية نجحت، لكنها لا تظهر على السلسلة بعد. راجع رصيدك قبل أن تحاول مرة أخرى.',
    other_price: 'سعر عقدة محفظتك يختلف عن سعر هذه الصفحة. لم يُدفع شيء. أعد تحميل الصفحة وحاول من جديد.',
    wrong_chain: 'محفظتك على شبكة أخرى. بدّلها ثم أعد المحاولة.',
  },
  troubles: {
    rejected: 'ألغيت في محفظتك. لم يُدفع شيء.',
    pending: 'يوجد طلب مفتوح في محفظتك. أجب عنه أولًا.',
    unknown_chain: 'لا تعرف محفظتك هذه الشبكة. أضفها هناك ثم أعد المحاولة.',
    locked: 'محفظتك مقفلة. افتحها ثم أعد المحاولة.',
  },
  walletSaid: (words) => `رسالة المحفظة: ${words === '' ? 'خطأ بلا وصف' : words}`,
  refused: (name) => `يرفض العقد ذلك الآن (${name}). لم يُدفع شيء.`,
  refusals: {
    NotOpen: 'البيع غير مفتوح الآن. لم يُدفع شيء.',
    PhaseClosed: 'هذه المرحلة غير جارية الآن. لم يُدفع شيء.',
    PhaseSoldOut: 'المتبقي في المرحلة أقل من ذلك. لم يُدفع شيء.',
    WalletCapReached: 'هذا أكثر مما يجوز لمحفظة واحدة في هذه المرحلة. لم يُدفع شيء.',
    PurchaseTooSmall: 'هذا أقل من أصغر عملية شراء. لم يُدفع شيء.',
    NotFinished: 'ما زالت هناك مرحلة جارية أو قادمة.',
    LeavingUntil: 'ما زال بإمكان المشترين الانسحاب؛ يمكن إنهاء البيع بعد ذلك.',
    SoftCapMissed: 'جمع البيع أقل مما يلزم لإنهائه. يسترد المشترون USDC.',
    NotRefundable: 'لا يُرد USDC إلا إذا فشل البيع، أو ما دام بإمكان المشترين الانسحاب.',
    NothingToRefund: 'ليس لهذه المحفظة ما يُرد.',
    NothingToClaim: 'لا يوجد الآن ما يمكن استلامه.',
    EnforcedPause: 'الاستلام متوقف مؤقتًا ويُستأنف تلقائيًا.',
    Blocklisted: 'لا يخدم USDC هذا العنوان: حظره المُصدر. لم يُدفع شيء.',
  },
  finish: {
    button: 'أنهِ البيع',
    help: 'يمكن لأي شخص فعل ذلك. يصبح البيع نهائيًا ويصبح AIC ملكًا للمشترين.',
    done: 'البيع نهائي.',
  },
  refund: {
    button: (amount) => `استرد ${ltr(`${amount} USDC`)}`,
    done: 'عاد USDC إلى محفظتك.',
    nothing: 'لم تشترِ هذه المحفظة شيئًا، أو استردت USDC من قبل.',
  },
  claim: {
    page: 'الاستلام',
    title: 'استلم AIC الخاص بك',
    lead: 'تحفظ وحدة الاستلام AIC المشترى. يتحرر تدريجيًا بعد TGE، وهو اليوم الذي يبدأ فيه الاستلام.',
    bought: 'المشترى',
    vested: 'المتحرر حتى الآن',
    claimed: 'المستلم',
    next: 'التحرر التالي',
    atTge: (time) => `يبدأ الاستلام في ${time}`,
    bit: 'كل ثانية',
    allFree: 'تحرر الكل',
    button: (amount) => `استلم ${ltr(`${amount} AIC`)}`,
    done: 'أصبح AIC في محفظتك. خزّنه على Coinslot لتحصل على خصم.',
    running: 'لم ينتهِ البيع بعد. يمكنك الاستلام هنا بعده.',
    nothing: 'لم تشترِ هذه المحفظة AIC.',
    none: 'لا يوجد الآن مزيد لاستلامه.',
  },
  schedule: {
    title: 'ما الذي تحصل عليه ومتى',
    drawing: 'نسبة AIC المشترى المتحررة مع الوقت',
    text: (tge, cliff, duration) =>
      `تتحرر ${tge} عند بدء الاستلام. ويتحرر الباقي بالتساوي خلال ${duration}، ابتداءً من ${cliff} بعد ذلك.`,
    late: 'يبدأ الاستلام بعد 90 يومًا من البيع على الأكثر.',
  },
  routes: {
    title: 'أين يذهب USDC',
    text: 'حتى يصبح البيع نهائيًا يبقى كل USDC في الضمان ولا يمكن لأحد إنفاقه. ثم يذهب إلى أربع خزائن بنسب لا يمكن تغييرها.',
    vaults: { liquidity: 'السيولة', dev: 'التطوير', team: 'الفريق', marketing: 'التسويق' },
  },
  latest: {
    title: 'أحدث المشتريات',
    none: 'لم يشترِ أحد بعد.',
    buyer: 'المشتري',
    usdc: 'USDC',
    aic: 'AIC',
    time: 'الوقت',
  },
  token: {
    title: 'رمز AIC',
    lead: 'يوجد 1,000,000,000 من AIC، ولن يزيد العدد أبدًا.',
    allocation: 'التوزيع',
    allocations: {
      Community: 'المجتمع',
      Team: 'الفريق',
      Investors: 'المستثمرون',
      Treasury: 'الخزينة',
      Incentives: 'الحوافز',
      Liquidity: 'السيولة',
    },
    of: 'لأجل',
    share: 'النسبة',
    sum: 'المجموع',
    use: 'فائدة AIC على Coinslot',
    useText: 'خزّن AIC فتقل تكلفة كل عملية شراء على Coinslot.',
    staked: 'المخزّن على الأقل',
    discount: 'الخصم',
    contracts: 'العقود',
    contract: 'العقد',
    address: 'العنوان',
    names: {
      token: 'رمز AIC',
      presale: 'البيع المسبق',
      claimModule: 'وحدة الاستلام',
      presaleVault: 'خزنة البيع المسبق',
      liquidity: 'خزنة السيولة',
      dev: 'خزنة التطوير',
      team: 'خزنة الفريق',
      marketing: 'خزنة التسويق',
    },
    rules: 'القواعد والمخاطر',
    ruleList: [
      'إذا لم يُبلغ الحد الأدنى (Soft Cap) أو أُلغي البيع، يسترد كل مشترٍ كل ما دفعه من USDC دون مهلة.',
      'يمكن للمدير إلغاء البيع قبل أن يصبح نهائيًا، وإيقاف الشراء مؤقتًا لمدة 72 ساعة إجمالًا. إذا استُنفدت هذه المدة أمكن لكل مشترٍ الانسحاب بكل ما دفعه من USDC خلال 72 ساعة التالية.',
      'لا يمكن لأحد تغيير سعر أو حد أو وقت أو نسبة أو عنوان.',
      'تشتري بسعر المرحلة التي توقّع عليها. إذا كان المتبقي أقل مما تريد فلن يُشترى شيء.',
      'الحد لكل محفظة لا يمنع من يملك محافظ كثيرة.',
      'لا يمكن نقل المشتريات إلى محفظة أخرى. احتفظ بمفتاح المحفظة التي اشترت.',
      'لم تُدقَّق العقود من جهة خارجية، وقد تكون فيها أخطاء. قد يفقد AIC كل قيمته.',
      'إذا حظر مُصدر USDC عنوانًا، فلن يستطيع الدفع ولا استرداد المال.',
    ],
    questions: 'أسئلة',
    questionList: [
      ['متى يمكنني استخدام AIC؟', 'عند بدء الاستلام، بعد البيع. تعرض صفحة الاستلام الوقت والمقدار.'],
      ['هل أحتاج إلى الإيثر؟', 'نعم، القليل منه لرسوم الشبكة، إلا إذا كانت محفظتك تدفع الرسوم بطريقة أخرى.'],
      ['هل يمكنني الشراء أكثر من مرة؟', 'نعم، حتى الحد لكل محفظة في كل مرحلة.'],
      ['من يحفظ USDC الخاص بي؟', 'عقد بلا مالك، حتى يصبح البيع نهائيًا أو تسترده.'],
    ],
  },
  local: 'عرض محلي: نقود وهمية على سلسلة على هذا الجهاز.',
}

/** The counts one and two are words without a number; 3 to 10, 11 to 99 and all others (by the last two digits) have a form each. */
const withForms =
  (one: string, two: string, few: string, many: string) =>
  (count: number): string => {
    if (count === 1) return one
    if (count === 2) return two
    const last = count % 100
    if (last < 3) return `${count}\u00a0${one}`
    return `${count}\u00a0${last <= 10 ? few : many}`
  }

const MONTHS = 'يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر'.split(' ')

export const times: Times = {
  moment: ({ year, month, day, hour, minute }) =>
    `${day} ${MONTHS[month - 1]} ${year}، ${hour % 12 || 12}:${minute}\u00a0${hour < 12 ? 'ص' : 'م'}`,
  count: {
    day: withForms('يوم', 'يومان', 'أيام', 'يومًا'),
    hour: withForms('ساعة', 'ساعتان', 'ساعات', 'ساعة'),
    minute: withForms('دقيقة', 'دقيقتان', 'دقائق', 'دقيقة'),
    second: withForms('ثانية', 'ثانيتان', 'ثوان', 'ثانية'),
  },
  join: (first, second) => `${first} و${second}`,
  percent: (amount) => `${amount}\u200e%\u200e`,
}
