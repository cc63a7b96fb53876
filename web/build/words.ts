import { LANGUAGES, type Language, type Tag } from '../shared/languages.ts'
import { type Messages, type StaticMessages, type TrustMessages, useMessages } from '../site/src/messages/active.ts'
import { messages as ar } from '../site/src/messages/ar.ts'
import { staticMessages as arStatic, trustMessages as arTrust } from '../site/src/messages/ar-trust.ts'
import { messages as de } from '../site/src/messages/de.ts'
import { staticMessages as deStatic, trustMessages as deTrust } from '../site/src/messages/de-trust.ts'
import { messages as en } from '../site/src/messages/en.ts'
import { staticMessages as enStatic, trustMessages as enTrust } from '../site/src/messages/en-trust.ts'
import { messages as es } from '../site/src/messages/es.ts'
import { staticMessages as esStatic, trustMessages as esTrust } from '../site/src/messages/es-trust.ts'
import { messages as fr } from '../site/src/messages/fr.ts'
import { staticMessages as frStatic, trustMessages as frTrust } from '../site/src/messages/fr-trust.ts'
import { messages as ja } from '../site/src/messages/ja.ts'
import { staticMessages as jaStatic, trustMessages as jaTrust } from '../site/src/messages/ja-trust.ts'
import { messages as ptBr } from '../site/src/messages/pt-BR.ts'
import { staticMessages as ptBrStatic, trustMessages as ptBrTrust } from '../site/src/messages/pt-BR-trust.ts'
import { messages as zh } from '../site/src/messages/zh-Hans.ts'
import { staticMessages as zhStatic, trustMessages as zhTrust } from '../site/src/messages/zh-Hans-trust.ts'

/** The texts that the build writes into pages. */
export interface PageWords {
  language: Language
  messages: Messages
  staticMessages: StaticMessages
  trustMessages: TrustMessages
}

const WORDS: Record<Tag, Omit<PageWords, 'language'>> = {
  en: { messages: en, staticMessages: enStatic, trustMessages: enTrust },
  es: { messages: es, staticMessages: esStatic, trustMessages: esTrust },
  'pt-BR': { messages: ptBr, staticMessages: ptBrStatic, trustMessages: ptBrTrust },
  fr: { messages: fr, staticMessages: frStatic, trustMessages: frTrust },
  de: { messages: de, staticMessages: deStatic, trustMessages: deTrust },
  'zh-Hans': { messages: zh, staticMessages: zhStatic, trustMessages: zhTrust },
  ja: { messages: ja, staticMessages: jaStatic, trustMessages: jaTrust },
  ar: { messages: ar, staticMessages: arStatic, trustMessages: arTrust },
}

/** The texts of a language. They also become the active ones, so that prices are written as in that language. */
export function wordsOf(language: Language): PageWords {
  const words = WORDS[language.tag]
  useMessages({ messages: words.messages })
  return { language, ...words }
}

/** English, which the docs and the error pages are written in. */
export const englishWords = (): PageWords => wordsOf(LANGUAGES[0])
