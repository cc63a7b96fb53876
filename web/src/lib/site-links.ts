import { words } from '../words/en.ts'

/** The pages of the main navigation, as address and words. */
export const SITE_LINKS = [
  ['/', words.nav.studio],
  ['/history', words.nav.history],
  ['/models', words.nav.models],
  ['/stats', words.nav.stats],
  ['/docs', words.nav.docs],
] as const
