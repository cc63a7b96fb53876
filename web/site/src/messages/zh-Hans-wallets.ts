import type { WalletMessages } from './active.ts'

export const walletMessages: WalletMessages = {
  pairing: {
    loading: '正在连接 WalletConnect…',
    qr: '连接钱包',
    scan: '用钱包应用扫描此二维码，然后在那里批准连接。',
    open: '打开钱包',
    copy: '复制连接链接',
  },
  waysOn: {
    qr: '此页面及你输入的内容',
    desktop: '用钱包应用的相机扫描此二维码。页面会在那里打开，并带上你输入的内容。',
    phone: '在钱包的浏览器中打开此页面。请先复制提示词：有些钱包不会把它带过去。',
    getOne: '获取钱包',
    copy: '复制此页面的链接',
    copyPrompt: '复制我的提示词',
  },
  funds: {
    checkAgain: '再次检查',
    faucet: '领取测试 USDC',
    faucetBusy: '正在发送测试 USDC…',
    fund: (network) => `通过 ${network} 向你的地址转入 USDC。此页面会自动检查。`,
    fundHelp: '你可以从交易所提取 USDC，或在钱包中购买。请在那里选择此网络。',
    wrap: '用 AIC 付款须使用封装形式。你可以在账户页面封装 AIC。',
    wrapLink: '封装 AIC',
    address: '你的地址',
  },
}
