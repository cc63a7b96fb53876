import type { Messages } from './active.ts'

export { shared } from '../../../shared/words/ja.ts'
export { pageMessages } from './ja-pages.ts'

export const messages: Messages = {
  title: (page) => `${page} · AICダッシュボード · Coinslot`,
  brand: 'Coinslot',
  name: 'AICダッシュボード',
  lead: 'AICのプレセール、金庫、受け取り、役割、ローンチの確認項目をチェーンから読み取ります。',
  noScript: 'このページはブラウザでチェーンを読み取るため、JavaScriptが必要です。',
  nav: {
    label: 'ページ',
    sale: 'セール',
    treasury: '資金',
    token: 'トークン',
    roles: '役割',
    checklist: '確認項目',
  },
  footer: 'このブラウザがチェーンから読み取っています。当社のサーバーには問い合わせず、何も変更しません。',
  loading: 'チェーンを読み取っています',
  unread: '読み取れませんでした',
  unknown: '不明',
  none: 'なし',
  status: {
    label: 'この数字の状態',
    live: (network, block) => `${network}、ブロック${block}`,
    ago: (seconds) => (seconds < 2 ? 'たった今' : `${seconds}秒前`),
    reading: (network) => `${network}：初めてチェーンを読み取っています`,
    behind: (message) => `ノードが遅れています。${message} 以下は返された中で最新の数字です。`,
    unreachable: (message) => `ノードが応答しません：${message}`,
    kept: (time) => `以下は${time}時点の数字です。`,
    retry: '5秒ごとに再び問い合わせます。',
    partial: (block, blocks) =>
      `このノードは1回の呼び出しで${blocks}ブロックしか検索しないため、ブロック${block}より前のイベントは読み取っていません。残高、合計、日付はすべて揃っています。すべてのイベントを見るには、検索範囲の広いノードを使ってください。`,
    purchasesMissing: '古い購入を1ブロックずつ読み取っている途中です。',
    dropped: (count) => `${count}件のイベントがチェーンの再編成で置き換わりました。`,
    unread: (reason) => `一部を読み取れませんでした：${reason}`,
  },
  notConfigured: {
    title: 'プレセールが設定されていません',
    local: 'このローカル環境にはプレセールがありません。プレセール付きで起動し、ページを再読み込みしてください。',
    built: '次の変数がありません。設定して、ダッシュボードをビルドし直してください。',
  },
  notLoaded: 'ダッシュボードを開始できませんでした。ページを再読み込みしてください。',
  alerts: {
    title: '要確認',
    fine: '異常はありません。',
    severity: { bad: '緊急', warn: '注意' },
    nodeBehind: (time) => `このノードの最新ブロックは${time}前のものです。`,
    paused: (contract, until) => `${contract}は${until}まで一時停止中です。自動で解除されます。`,
    pauseAlmostUsed: (contract, hours) => `${contract}は72時間の一時停止のうち${hours}を使いました。`,
    notFinalized: (since) => `セールは${since}に終了しましたが、確定していません。誰でもfinalizeを呼び出せます。`,
    notRouted: (vault, amount) => `${vault}への${amount}が1日以上未送金です。誰でもrouteを呼び出せます。`,
    claimsNotCovered: (amount) => `クレームモジュールは購入者に渡す分が${amount}不足しています。`,
    muchSpent: (vault, percent) => `${vault}は1日でトークンの${percent}%を支出しました。`,
    adminChanging: (contract, to, from) => `${contract}の管理者は${from}以降${to}に変わる予定です。`,
    roleChanged: (contract, account, granted, at) =>
      granted
        ? `${contract}：${at}に${account}へ役割が付与されました。`
        : `${contract}：${at}に${account}の役割が取り消されました。`,
    payeeChanged: (contract, account, granted, at) =>
      granted ? `${contract}：${at}から${account}へ支払えます。` : `${contract}：${at}から${account}へは支払えません。`,
    check: (check, detail) => `確認項目「${check}」：${detail}。`,
  },
  contracts: {
    presale: 'プレセール',
    presaleVault: 'プレセールの金庫',
    claimModule: 'クレームモジュール',
    liquidityVault: '流動性の金庫',
    devVault: '開発の金庫',
    teamVault: 'チームの金庫',
    marketingVault: 'マーケティングの金庫',
    aicToken: 'AICトークン',
    usdc: 'USDC',
    staking: 'ステーキング',
    wrapped: 'ラップドAIC',
    splitter: '支払いスプリッター',
  },
  allocations: {
    Community: 'コミュニティ',
    Team: 'チーム',
    Investors: '投資家',
    Treasury: 'トレジャリー',
    Incentives: 'インセンティブ',
    Liquidity: '流動性',
  },
  vaults: {
    liquidity: '流動性の金庫',
    dev: '開発の金庫',
    team: 'チームの金庫',
    marketing: 'マーケティングの金庫',
  },
  accounts: {
    safe: (threshold, owners) =>
      owners === 0 ? `マルチシグ（署名${threshold}件）` : `マルチシグ（${owners}人中${threshold}人）`,
    contract: 'その他のコントラクト',
    key: '単独の鍵',
  },
  chart: { table: '表で表示', day: '日', week: '週の開始日', total: '合計', running: '累計' },
  usdc: (amount) => `${amount} USDC`,
  aic: (amount) => `${amount} AIC`,
  hours: (hours) => `${hours}時間`,
  address: 'アドレス',
  transaction: 'トランザクション',
}
