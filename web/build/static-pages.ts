import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGES, pathIn } from '../shared/languages.ts'
import { docsMessages } from '../site/src/messages/en-docs.ts'
import { type PlainPage, text } from './plain-page.ts'
import { englishWords, type PageWords, wordsOf } from './words.ts'

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

interface Problem {
  code: string
  status: number
  title: string
  cause: string
  cure: string
}

/** `/problems` and `/problems/<code>`, from the generated table. They are English in every language. */
export function problemPages(): PlainPage[] {
  const problems = readProblems()
  const english = { words: englishWords(), isTranslated: false }
  return [
    { ...english, path: 'problems', title: docsMessages.problems.all, main: listMain(problems) },
    ...problems.map((problem) => ({
      ...english,
      path: `problems/${problem.code}`,
      title: problem.title,
      main: problemMain(problem),
    })),
  ]
}

function readProblems(): Problem[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../site/src/generated/problems.json'), 'utf8'))
}

function problemMain(problem: Problem): string {
  return `<p class="eyebrow figures">${problem.code}</p>
<h1>${text(problem.title)}</h1>
<p class="lead">${docsMessages.problems.status(problem.status)}</p>
<h2>${docsMessages.problems.cause}</h2>
<p>${text(problem.cause)}</p>
<h2>${docsMessages.problems.cure}</h2>
<p>${text(problem.cure)}</p>
<p class="page-next"><a href="/problems">${docsMessages.problems.all}</a></p>`
}

function listMain(problems: Problem[]): string {
  const rows = problems.map(
    ({ code, status, title }) =>
      `<li><code><b>${status}</b> <a href="/problems/${code}">${code}</a></code><span>${text(title)}</span></li>`,
  )
  return `<h1>${docsMessages.problems.all}</h1>
<p class="lead">${docsMessages.problemsIntro}</p>
<ul class="calls">
${rows.join('\n')}
</ul>`
}
