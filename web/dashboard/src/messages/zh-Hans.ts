import type { Messages } from './active.ts'

export { shared } from '../../../shared/words/zh-Hans.ts'
export { pageMessages } from './zh-Hans-pages.ts'

export const messages: Messages = {
  title: (page) => `${page} · AIC 数据面板 · Coinslot`,
  brand: 'Coinslot',
  name: 'AIC 数据面板',
  lead: 'AIC 预售及其金库、领取、角色和上线检查，全部读自链上。',
  noScript: '此页面在你的浏览器中读取链上数据，需要 JavaScript。',
  nav: { label: '页面', sale: '预售', treasury: '资金', token: '代币', roles: '角色', checklist: '上线检查' },
  footer: '由此浏览器直接从链上读取。不访问我们的任何服务器，也不更改任何内容。',
  loading: '正在读取链上数据',
  unread: '无法读取',
  unknown: '未知',
  none: '无',
  status: {
    label: '这些数字的状态',
    live: (network, block) => `${network}，区块 ${block}`,
    ago: (seconds) => (seconds < 2 ? '刚刚' : `${seconds} 秒前`),
    reading: (network) => `${network}：正在首次读取链上数据`,
    behind: (message) => `节点落后了。${message} 以下数字是它返回的最新数据。`,
    unreachable: (message) => `节点没有响应：${message}`,
    kept: (time) => `以下数字截至 ${time}。`,
    retry: '每五秒会重新询问一次。',
    partial: (block, blocks) =>
      `此节点每次调用只能搜索 ${blocks} 个区块，因此未读取区块 ${block} 之前的事件。余额、合计和日期是完整的。要查看所有事件，请使用搜索范围更大的节点。`,
    purchasesMissing: '仍在逐个区块读取更早的购买。',
    dropped: (count) => `${count} 个事件因链重组而被替换。`,
    unread: (reason) => `有一部分无法读取：${reason}`,
  },
  notConfigured: {
    title: '预售尚未配置',
    local: '这个本地环境没有预售。请带预售启动，然后重新加载页面。',
    built: '缺少以下变量。请设置后重新构建数据面板。',
  },
  notLoaded: '数据面板无法启动。请重新加载页面。',
  alerts: {
    title: '需要留意',
    fine: '没有异常。',
    severity: { bad: '紧急', warn: '提示' },
    nodeBehind: (time) => `此节点的最新区块已是 ${time}前的。`,
    paused: (contract, until) => `${contract}暂停至 ${until}，之后自动恢复。`,
    pauseAlmostUsed: (contract, hours) => `${contract}的 72 小时暂停时间已用去 ${hours}。`,
    notFinalized: (since) => `预售已于 ${since} 结束，但尚未最终确认。任何人都可以调用 finalize。`,
    notRouted: (vault, amount) => `${amount} 应付给${vault}已超过一天。任何人都可以调用 route。`,
    claimsNotCovered: (amount) => `领取模块应付给买家的数量还差 ${amount}。`,
    muchSpent: (vault, percent) => `${vault}在一天内花费了某种代币的 ${percent}%。`,
    adminChanging: (contract, to, from) => `${contract}的管理员将从 ${from} 起变为 ${to}。`,
    roleChanged: (contract, account, granted, at) =>
      granted ? `${contract}：${at} 授予 ${account} 一个角色。` : `${contract}：${at} 收回 ${account} 的一个角色。`,
    payeeChanged: (contract, account, granted, at) =>
      granted
        ? `${contract}：自 ${at} 起可以向 ${account} 付款。`
        : `${contract}：自 ${at} 起不能再向 ${account} 付款。`,
    check: (check, detail) => `上线检查，${check}：${detail}。`,
  },
  contracts: {
    presale: '预售',
    presaleVault: '预售金库',
    claimModule: '领取模块',
    liquidityVault: '流动性金库',
    devVault: '开发金库',
    teamVault: '团队金库',
    marketingVault: '市场金库',
    aicToken: 'AIC 代币',
    usdc: 'USDC',
    staking: '质押',
    wrapped: '封装 AIC',
    splitter: '付款分配器',
  },
  allocations: {
    Community: '社区',
    Team: '团队',
    Investors: '投资者',
    Treasury: '财库',
    Incentives: '激励',
    Liquidity: '流动性',
  },
  vaults: { liquidity: '流动性金库', dev: '开发金库', team: '团队金库', marketing: '市场金库' },
  accounts: {
    safe: (threshold, owners) =>
      owners === 0 ? `多签，需 ${threshold} 个签名` : `多签，${owners} 个中的 ${threshold} 个`,
    contract: '其他合约',
    key: '单个密钥',
  },
  chart: { table: '以表格显示', day: '日期', week: '周（起始日）', total: '合计', running: '累计' },
  usdc: (amount) => `${amount} USDC`,
  aic: (amount) => `${amount} AIC`,
  hours: (hours) => `${hours} 小时`,
  address: '地址',
  transaction: '交易',
}
