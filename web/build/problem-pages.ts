import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { docsMessages } from '../site/src/messages/en-docs.ts'
import { type PlainPage, text } from './plain-page.ts'
import { englishWords } from './words.ts'

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
