import type { WalletMessages } from './active.ts'

export const walletMessages: WalletMessages = {
  pairing: {
    loading: 'WalletConnectに接続中…',
    qr: 'ウォレットを接続',
    scan: 'ウォレットのアプリでこのコードを読み取り、そこで接続を承認してください。',
    open: 'ウォレットを開く',
    copy: '接続リンクをコピー',
  },
  waysOn: {
    qr: '入力内容を含むこのページ',
    desktop: 'ウォレットのアプリのカメラでこのコードを読み取ってください。入力内容とともにページが開きます。',
    phone:
      'このページをウォレットのブラウザで開きます。プロンプトを引き継がないウォレットもあるため、先にコピーしてください。',
    getOne: 'ウォレットを入手',
    copy: 'このページのリンクをコピー',
    copyPrompt: 'プロンプトをコピー',
  },
  funds: {
    checkAgain: '再確認',
    faucet: 'テスト用USDCを受け取る',
    faucetBusy: 'テスト用USDCを送信中…',
    fund: (network) => `${network}であなたのアドレスにUSDCを送ってください。このページが自動で確認します。`,
    fundHelp: 'USDCは取引所から出金するか、ウォレットで購入できます。そこでこのネットワークを選んでください。',
    wrap: '支払いに使えるのはラップドAIC（wAIC）です。アカウントのページでラップできます。',
    wrapLink: 'AICをラップ',
    address: 'あなたのアドレス',
  },
}
