import { languageAt, pathIn, type Tag } from '../../../shared/languages.ts'
import { type AllMessages, type Messages, useMessages } from './active.ts'

type Purchase = Pick<AllMessages, 'purchaseMessages'>
type Wallets = Pick<AllMessages, 'walletMessages'>
type Service = Pick<AllMessages, 'serviceMessages'>
type Pages = Pick<AllMessages, 'pageMessages'>

/** The file of a language's first page. It names the files of what is loaded later. */
export interface FirstFile {
  messages: Messages
  later: {
    purchase(): Promise<Purchase>
    wallets(): Promise<Wallets>
    pages(): Promise<Pages>
    service?(): Promise<Service>
  }
}

const FILES: Record<Tag, () => Promise<FirstFile>> = {
  en: () => import('./en.ts'),
  es: () => import('./es.ts'),
  'pt-BR': () => import('./pt-BR.ts'),
  fr: () => import('./fr.ts'),
  de: () => import('./de.ts'),
  'zh-Hans': () => import('./zh-Hans.ts'),
  ja: () => import('./ja.ts'),
  ar: () => import('./ar.ts'),
}

const language = languageAt(location.pathname)
let first: FirstFile | undefined

/** A path of the site in the page's language: `/history` is `/es/history` on a Spanish page. */
export const at = (path: string): string => pathIn(language, path)

/** Loads the texts of the first page. Everything else waits for it. */
export async function loadMessages(): Promise<void> {
  first = await FILES[language.tag]()
  useMessages({ messages: first.messages })
}

/** Loads the texts of a purchase and of its result. */
export const purchaseWords = (): Promise<void> => loadLater('purchase')

/** Loads the texts for people without a wallet in this browser, or with too little in it. */
export const walletWords = (): Promise<void> => loadLater('wallets')

/** Loads the texts of the other pages, which also show results. */
export const pageWords = (): Promise<unknown> => Promise.all([loadLater('purchase'), loadLater('pages')])

/** Loads the texts for what the service writes in English. If that fails, its English is shown. */
export const serviceWords = (): Promise<void> => loadLater('service').catch(() => undefined)

async function loadLater(part: keyof FirstFile['later']): Promise<void> {
  const loaded: Partial<AllMessages> | undefined = await first?.later[part]?.()
  useMessages(loaded ?? {})
}
