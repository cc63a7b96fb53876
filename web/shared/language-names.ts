import type { Tag } from './languages.ts'

/** Each language's own name. */
export const LANGUAGE_NAMES: Record<Tag, string> = {
  en: 'English',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  fr: 'Français',
  de: 'Deutsch',
  'zh-Hans': '简体中文',
  ja: '日本語',
  ar: 'العربية',
}
