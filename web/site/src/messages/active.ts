import { type SharedWords, useShared, type WordsLike } from '../../../shared/texts.ts'
import type { messages as english } from './en.ts'
import type { pageMessages as englishPages } from './en-pages.ts'
import type { purchaseMessages as englishPurchase } from './en-purchase.ts'
import type { staticMessages as englishStatic, trustMessages as englishTrust } from './en-trust.ts'
import type { walletMessages as englishWallets } from './en-wallets.ts'

export type Messages = WordsLike<Omit<typeof english, 'shared'>> & { readonly shared: SharedWords }
export type PurchaseMessages = WordsLike<typeof englishPurchase>
export type WalletMessages = WordsLike<typeof englishWallets>
export type PageMessages = WordsLike<typeof englishPages>
/** Only the build reads these two. */
export type StaticMessages = WordsLike<typeof englishStatic>
export type TrustMessages = WordsLike<typeof englishTrust>
/** Titles of problems, by code. */
export type ProblemTitles = Readonly<Record<string, string>>

/** Texts for what the service writes in English. English has none: there the service's own words are shown. */
export interface ServiceMessages {
  /** Descriptions of models, by id. */
  readonly models: Readonly<Record<string, string>>
  /** Titles and descriptions of a model's inputs, by the English text. */
  readonly inputs: Readonly<Record<string, string>>
}

export interface AllMessages {
  serviceMessages: ServiceMessages
  messages: Messages
  purchaseMessages: PurchaseMessages
  walletMessages: WalletMessages
  pageMessages: PageMessages
}

// The texts of the page's language. Each is set once, before the code that reads it is shown: `load.ts` says when.

/** The texts of the frame and the studio: all that the first page needs. */
export let messages: Messages
/** The texts of a purchase and of its result. */
export let purchaseMessages: PurchaseMessages
/** The texts for people without a wallet in this browser, or with too little in it. */
export let walletMessages: WalletMessages
/** The texts of the pages that are loaded when they are opened. */
export let pageMessages: PageMessages

/** Texts for what the service writes in English. */
export let serviceMessages: ServiceMessages = { models: {}, inputs: {} }

/** Sets the texts that are loaded. The others stay. */
export function useMessages(loaded: Partial<AllMessages>): void {
  if (loaded.messages !== undefined) useShared(loaded.messages.shared)
  messages = loaded.messages ?? messages
  purchaseMessages = loaded.purchaseMessages ?? purchaseMessages
  walletMessages = loaded.walletMessages ?? walletMessages
  pageMessages = loaded.pageMessages ?? pageMessages
  serviceMessages = loaded.serviceMessages ?? serviceMessages
}
