export { type Account, type Hex, type TypedPayment, type WalletProvider, walletAccount } from './account.ts'
export type { Budget, Reservation, Spending } from './budget.ts'
export { type Coinslot, type CoinslotOptions, createCoinslot, type HistoryQuery, type RunOptions } from './coinslot.ts'
export {
  BudgetError,
  CoinslotError,
  ConnectionError,
  type Problem,
  ProblemError,
  SpendCapError,
  UnfinishedError,
} from './errors.ts'
export { formatAmount, parseAmount, USDC_DECIMALS } from './money.ts'
export type { OtherToken } from './purchase/choose.ts'
export type { RunEvent } from './purchase/events.ts'
export type { Run } from './run.ts'
export { type CookieJar, cookieJar } from './session/cookies.ts'
export { memoryStore, type PaymentStore, type PendingPayment, type Wanted, webStore } from './store.ts'
export type * from './types.ts'
