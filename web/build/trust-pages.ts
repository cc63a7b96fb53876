import { LANGUAGES, pathIn } from '../shared/languages.ts'
import { type PlainPage, text } from './plain-page.ts'
import { type PageWords, wordsOf } from './words.ts'

const NAMES = ['status', 'refunds', 'terms', 'privacy', 'contact'] as const
type Name = (typeof NAMES)[number]

/** The pages that are translated. The others of the service are files or JSON. */
const TRANSLATED: readonly string[] = [...NAMES, 'stats', 'history', 'receipt'].map((name) => `/${name}`)

/**
 * The pages of the footer that say how the service behaves, in every language. `contact` is a mail address or an https address, or
 * empty.
 */
export function trustPages(contact: string): PlainPage[] {
  return LANGUAGES.flatMap((language) => {
    const words = wordsOf(language)
    return NAMES.map((path) => ({
      path,
      words,
      isTranslated: true,
      title: words.messages.footer[path],
      main: mainOf(path, words, contact),
    }))
  })
}

function mainOf(name: Name, { language, messages, trustMessages }: PageWords, contact: string): string {
  const { lead, parts, links } = trustMessages[name]
  const sections = parts.map(([heading, ...lines]) => {
    const paragraphs = lines.map((line) => `<p>${text(line)}</p>`)
    return `<h2>${text(heading)}</h2>\n${paragraphs.join('\n')}`
  })
  const next = links.map(([href, label]) => {
    const target = TRANSLATED.includes(href) ? pathIn(language, href) : href
    return `<a href="${target}">${text(label)}</a>`
  })
  return `<h1>${messages.footer[name]}</h1>
<p class="lead">${text(lead)}</p>
${name === 'contact' ? contactLine(contact, trustMessages.noContact) : ''}
${sections.join('\n')}
<p class="page-next">${next.join(' ')}</p>`
}

function contactLine(contact: string, none: string): string {
  if (contact === '') return `<p>${text(none)}</p>`
  const href = contact.includes('@') ? `mailto:${contact}` : new URL(contact).href
  return `<p><a href="${text(href)}">${text(contact)}</a></p>`
}
