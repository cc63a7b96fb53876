import type { Tag } from '../../../shared/languages.ts'
import { type SharedWords, useShared, type WordsLike } from '../../../shared/texts.ts'
import type { messages as english } from './en.ts'
import type { Times } from './times.ts'

export type Messages = WordsLike<typeof english>

/** The texts of the page's language, and how it writes times. They are set once, before anything is shown. */
export let messages: Messages
export let times: Times

export interface Dictionary {
  messages: Messages
  times: Times
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
  times = dictionary.times
  useShared(dictionary.shared)
}
