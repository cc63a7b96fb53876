import type { Tag } from './languages.ts'

/** Each language's own name. */
export const LANGUAGE_NAMES: Record<Tag, string> = {
  en: 'English',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  fr: 'Français',
  de: 'Deutsch',
}
