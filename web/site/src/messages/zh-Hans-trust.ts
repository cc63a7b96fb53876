import type { StaticMessages, TrustMessages } from './active.ts'

export const staticMessages: StaticMessages = {
  description: 'AI 图片、文字和声音，按结果用 USDC 付费。无需账户，无需 Gas 费。',
  tooOld: (browsers) => `此页面需要更新的浏览器：${browsers} 或更高版本。`,
  notLoaded: '此页面无法加载。请重新加载。',
  intro: '在此页面购买需要 JavaScript。同一服务也提供普通 HTTP 接口，任何程序都可以在这里购买。',
  models: '模型与当前价格',
  programs: '供程序使用（llms.txt）',
  startPrices: '每个结果的起价',
}

const refunds = ['/refunds', '退款'] as const
const contact = ['/contact', '联系'] as const

export const trustMessages: TrustMessages = {
  noContact: '本站运营者没有公布联系方式。无论如何，收据和链上记录都归你所有。',
  status: {
    lead: '此服务会报告自身的状态。',
    parts: [
      ['现在', '运行状态报告列出每个部分：数据库、链、付款、模型。`ok` 表示正常。'],
      ['如果某个部分中断', '已签名的付款会保留，之后完成。绝不会扣款两次。'],
    ],
    links: [['/api/health', '运行状态报告（JSON）'], ['/stats', '实时数据'], contact],
  },
  refunds: {
    lead: '模型运行前付款。如果运行最终失败，运营者应退还这笔款项。',
    parts: [
      ['自动进行的部分', '失败的运行会连同付款一起记录，并列入运营者的待退款清单。不会自动退回。'],
      ['如何取回款项', '请联系运营者，并附上结果编号。会有人用同样的代币，把同样的金额转给付款的钱包，并记下交易。'],
      ['不予退款的情况', '模型已交付、但你不喜欢的结果。'],
      ['如果没有扣款', '未结算的付款没有转移任何资金。签名在十分钟后过期。'],
    ],
    links: [['/history', '你的历史记录'], ['/receipt', '验证收据'], contact],
  },
  terms: {
    lead: '此服务的规则，简短说明。',
    parts: [
      ['价格', '价格在签名前显示，也就是你支付的价格。没有订阅，也没有其他费用。'],
      ['你的结果', '在模型许可和法律允许的范围内，你创作的归你所有。出售结果前，请查看模型的许可。'],
      ['不允许', '任何违法内容，以及模型作者禁止的内容。运营者可以拒绝此类请求。'],
      ['不作保证', '模型会出错。依赖结果之前请先核实。'],
      ['运营者', 'Coinslot 是任何人都可以运行的软件。合同关系在你与本站运营者之间。'],
    ],
    links: [refunds, ['/privacy', '隐私'], contact],
  },
  privacy: {
    lead: '没有账户，没有跟踪，本站也不会向其他网站发出请求。',
    parts: [
      ['保存的内容', '你的钱包地址、你的请求、结果和付款。它们属于你的钱包，只有它能看到列表。'],
      ['文件', '图片或声音有一个很长的随机地址。知道此地址的人都能打开文件。'],
      ['公开记录', '付款记录在公共链上。任何人都能看到你的钱包付款给此服务。'],
      ['模型提供方', '提示词和设置会发送给运行模型的提供方，但不含你的地址。'],
      ['Cookie', '一个用于登录，一个用于防止伪造请求。你的草稿和未完成的付款保存在你的浏览器中。'],
    ],
    links: [['/terms', '条款'], contact],
  },
  contact: {
    lead: '问题、退款和安全漏洞。',
    parts: [
      ['请提供', '结果或错误的编号，以及交易哈希。切勿发送私钥或助记词。'],
      ['安全', '报告安全漏洞：见 `/.well-known/security.txt`。'],
    ],
    links: [refunds, ['/.well-known/security.txt', 'security.txt']],
  },
}
