import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGE_NAMES } from '../shared/language-names.ts'
import { LANGUAGES, type Language, pathIn } from '../shared/languages.ts'
import { approximatePrice } from '../shared/money.ts'
import { docsMessages } from '../site/src/messages/en-docs.ts'
import { type PageWords, wordsOf } from './words.ts'

/** The pages of the main navigation. */
const LINKS = [
  ['/', 'studio'],
  ['/history', 'history'],
  ['/models', 'models'],
  ['/stats', 'stats'],
  ['/docs', 'docs'],
] as const

/** The text for each mark of index.html. `browsers` are the oldest that the site runs in, as text. */
export function startTexts(language: Language, browsers: string): Record<string, string> {
  const words = wordsOf(language)
  const { messages, staticMessages } = words
  return {
    '%TITLE%': messages.title,
    '%DESCRIPTION%': staticMessages.description,
    '%HEADLINE%': messages.studio.headline,
    '%SUB%': messages.studio.sub,
    '%TOO_OLD%': staticMessages.tooOld(browsers),
    '%NOT_LOADED%': staticMessages.notLoaded,
    '<!-- masthead -->': staticMasthead(words),
    '<!-- models -->': startPrices(words),
    '<!-- without script -->': withoutScript(words),
  }
}

/** The masthead of every page, as HTML. `components/shell.tsx` uses its elements. `end` is what follows the navigation. */
export function staticMasthead({ language, messages }: PageWords, end = ''): string {
  const links = LINKS.map(([path, name]) => [pathIn(language, path), messages.nav[name]] as const)
  return mastheadHtml({ home: pathIn(language, '/'), name: messages.name, label: messages.nav.label, links, end })
}

interface Masthead {
  home: string
  name: string
  /** Of the navigation. */
  label: string
  /** Address and text. */
  links: readonly (readonly [string, string])[]
  /** The markup after the navigation. */
  end?: string
}

/** The masthead of any of the sites, as HTML. */
export function mastheadHtml({ home, name, label, links, end = '' }: Masthead): string {
  const anchors = links.map(([href, text]) => `<a href="${href}">${text}</a>`)
  return `<header class="masthead">
<a href="${home}" class="brand"><svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><path class="mark-coin" d="M8.2 18a9 9 0 1 1 15.6 0Z"/><rect class="mark-slot" x="3" y="20" width="26" height="4" rx="2"/></svg><span>${name}</span></a>
<nav class="nav" aria-label="${label}">${anchors.join('')}</nav>${end}
</header>`
}

/** Pages of the footer. The error pages are English only. */
const FOOT = ['docs', 'receipt', 'problems', 'status', 'refunds', 'terms', 'privacy', 'contact'] as const

/** The footer of pages without script. `path` is the page's own, if it exists in every language. */
export function staticFooter({ language, messages }: PageWords, path: string | null): string {
  const links = FOOT.map((name) => {
    const href = name === 'problems' ? '/problems' : pathIn(language, `/${name}`)
    return `<a href="${href}">${messages.footer[name]}</a>`
  })
  return `<footer class="footer">
<p>${messages.footer.line}</p>
<p class="footer-links">${links.join('')}</p>
${path === null ? '' : languageLinks(path, messages.shared.language)}
</footer>`
}

/** The same page in each language. */
function languageLinks(path: string, label: string): string {
  const links = LANGUAGES.map(
    (language) =>
      `<a href="${pathIn(language, path)}" lang="${language.tag}" hreflang="${language.tag}">${LANGUAGE_NAMES[language.tag]}</a>`,
  )
  return `<nav class="footer-links" aria-label="${label}">${links.join('')}</nav>`
}

/** The part of every page for a browser without script: how a program buys, and where the models and errors are. */
export function withoutScript({ language, messages, staticMessages: words }: PageWords): string {
  return `<section class="page page-text">
<p class="lead">${words.intro}</p>
<div lang="en" dir="ltr"><h2>${docsMessages.flowTitle}</h2>
<ol class="flow">${docsMessages.flow.map((line) => `<li>${line}</li>`).join('')}</ol></div>
<p class="page-next"><a href="/api/models">${words.models}</a> <a href="/api/openapi.json">${docsMessages.openapi}</a> <a href="/llms.txt">${words.programs}</a> <a href="/problems">${messages.footer.problems}</a> <a href="${pathIn(language, '/contact')}">${messages.footer.contact}</a></p>
</section>`
}

/** Names and starting prices of the models, painted with the headline until the script has the present prices. */
export function startPrices({ staticMessages }: PageWords): string {
  const rows = readStartPrices().map(
    ({ name, startUsdc }) => `<li><bdi>${name}</bdi><bdi class="figures">${approximatePrice(startUsdc)}</bdi></li>`,
  )
  return `<section class="start-prices" aria-label="${staticMessages.startPrices}"><h2>${staticMessages.startPrices}</h2><ul>${rows.join('')}</ul></section>`
}

function readStartPrices(): { name: string; startUsdc: string }[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../site/src/generated/models.json'), 'utf8'))
}
