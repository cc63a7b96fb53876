export { formatAmount, parseAmount, USDC_DECIMALS } from '../../protocol/money.ts'
export { type Account, type Hex, type TypedPayment, type WalletProvider, walletAccount } from './account.ts'
export type { Budget, Spending } from './budget.ts'
export { type Buyer, type BuyerParts, type CallOptions, makeBuyer, type PayOptions, type RunOptions } from './buyer.ts'
export { type Coinslot, type CoinslotOptions, createCoinslot, type HistoryQuery } from './coinslot.ts'
export {
  BudgetError,
  CoinslotError,
  ConnectionError,
  InsufficientFundsError,
  type Problem,
  ProblemError,
  QuoteExpiredError,
  SignedOutError,
  SpendCapError,
  UnfinishedError,
} from './errors.ts'
export type { Offer } from './purchase/challenge.ts'
export { isUsdc, type OtherToken } from './purchase/choose.ts'
export type { RunEvent } from './purchase/events.ts'
export type { Quote } from './purchase/quote.ts'
export type { RecoverSigner, SignedOffer } from './purchase/signed-offer.ts'
export type { Sleep } from './retry.ts'
export type { Run } from './run.ts'
export { memoryStore, type PaymentStore, type PendingPayment, type Wanted, webStore } from './store.ts'
export type * from './types.ts'
