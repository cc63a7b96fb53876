import type { Tag } from '../../../shared/languages.ts'
import { type SharedWords, useShared, type WordsLike } from '../../../shared/texts.ts'
import type { messages as english } from './en.ts'
import type { pageMessages as englishPages } from './en-pages.ts'

export type Messages = WordsLike<typeof english>
export type PageMessages = WordsLike<typeof englishPages>

// The texts of the page's language, set once before anything is shown.

/** The frame, its notices and the words for contracts. */
export let messages: Messages
export let pageMessages: PageMessages

export interface Dictionary {
  messages: Messages
  pageMessages: PageMessages
  shared: SharedWords
}

/** Loads the texts of a language. Each is a separate file. */
export const DICTIONARIES: Record<Tag, () => Promise<Dictionary>> = {
  en: () => import('./en.ts'),
  es: () => import('./es.ts'),
  'pt-BR': () => import('./pt-BR.ts'),
  fr: () => import('./fr.ts'),
  de: () => import('./de.ts'),
  'zh-Hans': () => import('./zh-Hans.ts'),
  ja: () => import('./ja.ts'),
  ar: () => import('./ar.ts'),
}

/** Makes these texts the active ones. */
export function useDictionary(dictionary: Dictionary): void {
  messages = dictionary.messages
  pageMessages = dictionary.pageMessages
  useShared(dictionary.shared)
}
