/** The languages of every site: BCP 47 tag, and folder of its pages in the address. English is at the root. */
export const LANGUAGES = [
  { tag: 'en', folder: '' },
  { tag: 'es', folder: 'es' },
  { tag: 'pt-BR', folder: 'pt-br' },
  { tag: 'fr', folder: 'fr' },
  { tag: 'de', folder: 'de' },
  { tag: 'zh-Hans', folder: 'zh' },
  { tag: 'ja', folder: 'ja' },
  { tag: 'ar', folder: 'ar' },
] as const

type Folder = (typeof LANGUAGES)[number]['folder']

/** Other tags by which people and search engines ask for a folder. Traditional Chinese gets English: Simplified is another script. */
const OTHER_TAGS = {
  '': ['en', 'en-US', 'en-GB', 'zh-TW', 'zh-HK', 'zh-Hant'],
  es: ['es-ES', 'es-MX', 'es-419'],
  'pt-br': ['pt', 'pt-PT', 'pt-BR'],
  fr: ['fr-FR', 'fr-CA'],
  de: ['de-DE', 'de-AT', 'de-CH'],
  zh: ['zh-CN', 'zh-SG', 'zh-Hans'],
  ja: ['ja-JP'],
  ar: ['ar-SA', 'ar-EG'],
} as const satisfies Record<Folder, readonly string[]>

/** Other names of a language's folder, as they are written and in lower case. */
export function otherNamesOf(folder: Folder): string[] {
  const names = OTHER_TAGS[folder].flatMap((tag) => [tag, tag.toLowerCase()])
  return [...new Set(names)].filter((name) => name !== folder)
}

export type Tag = (typeof LANGUAGES)[number]['tag']
export type Language = (typeof LANGUAGES)[number]

/** Writing direction of a language. */
export const directionOf = (tag: string): 'ltr' | 'rtl' => (tag === 'ar' ? 'rtl' : 'ltr')

/**
 * The language of an address: `/es/history` is Spanish, `/history` is English. It is read from the address and not from `<html lang>`,
 * which a browser's translator changes.
 */
export function languageAt(pathname: string): Language {
  const folder = pathname.split('/')[1] ?? ''
  return LANGUAGES.find((language) => language.folder === folder) ?? LANGUAGES[0]
}

/** The address without its language: `/es/history` is `/history`, `/es` is `/`. */
export function withoutLanguage(pathname: string): string {
  const { folder } = languageAt(pathname)
  return folder === '' ? pathname : pathname.slice(folder.length + 1) || '/'
}

/** A path of the site in a language: `/history` in Spanish is `/es/history`. */
export function pathIn({ folder }: Pick<Language, 'folder'>, path: string): string {
  return folder === '' ? path : `/${folder}${path}`
}

/** The language and the page of an address in a site that is served below `base`: `/presale/es/claim` is the Spanish `/claim`. */
export function placeIn(base: string, pathname: string): { language: Language; path: string } {
  const inside = pathname.slice(base.length - 1) || '/'
  return { language: languageAt(inside), path: withoutLanguage(inside).replace(/(?<=.)\/$/, '') }
}
