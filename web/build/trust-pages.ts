import { messages } from '../src/messages/en.ts'
import { trustMessages } from '../src/messages/en-trust.ts'
import { type PlainPage, text } from './plain-page.ts'

const NAMES = ['status', 'refunds', 'terms', 'privacy', 'contact'] as const

/** The pages of the footer that say how the service behaves. `contact` is a mail address or an https address, or empty. */
export function trustPages(contact: string): PlainPage[] {
  return NAMES.map((path) => ({ path, title: messages.footer[path], main: mainOf(path, contact) }))
}

function mainOf(name: (typeof NAMES)[number], contact: string): string {
  const { lead, parts, links } = trustMessages[name]
  const sections = parts.map(([heading, ...lines]) => {
    const paragraphs = lines.map((line) => `<p>${text(line)}</p>`)
    return `<h2>${text(heading)}</h2>\n${paragraphs.join('\n')}`
  })
  const next = links.map(([href, label]) => `<a href="${href}">${text(label)}</a>`)
  return `<h1>${messages.footer[name]}</h1>
<p class="lead">${text(lead)}</p>
${name === 'contact' ? contactLine(contact) : ''}
${sections.join('\n')}
<p class="page-next">${next.join(' · ')}</p>`
}

function contactLine(contact: string): string {
  if (contact === '') return `<p>${text(trustMessages.noContact)}</p>`
  const href = contact.includes('@') ? `mailto:${contact}` : new URL(contact).href
  return `<p><a href="${text(href)}">${text(contact)}</a></p>`
}
