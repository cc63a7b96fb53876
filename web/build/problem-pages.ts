import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { messages } from '../src/messages/en.ts'
import { pageMessages } from '../src/messages/en-pages.ts'
import { staticFooter, staticMasthead } from './static-frame.ts'

interface Problem {
  code: string
  status: number
  title: string
  cause: string
  cure: string
}

/** Writes `/problems` and `/problems/<code>`: plain pages without script, from the generated table. */
export function problemPages(): Plugin {
  return {
    name: 'coinslot-problem-pages',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const styles = Object.keys(bundle).filter((name) => name.endsWith('.css'))
      const index = bundle['index.html']
      if (index?.type !== 'asset') throw new Error('index.html is not in the bundle')
      // The same inline script as in index.html, so that its hash in the content policy is the same.
      const script = /<script>[\s\S]*?<\/script>/.exec(String(index.source))?.[0] ?? ''
      const problems = readProblems()
      const frame = (title: string, main: string): string => page({ title, main, styles, script })
      for (const problem of problems) {
        const source = frame(problem.title, problemMain(problem))
        this.emitFile({ type: 'asset', fileName: `problems/${problem.code}.html`, source })
      }
      this.emitFile({
        type: 'asset',
        fileName: 'problems.html',
        source: frame(pageMessages.problems.all, listMain(problems)),
      })
    },
  }
}

function readProblems(): Problem[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../src/generated/problems.json'), 'utf8'))
}

function problemMain(problem: Problem): string {
  return `<p class="eyebrow figures">${problem.code}</p>
<h1>${text(problem.title)}</h1>
<p class="lead">${pageMessages.problems.status(problem.status)}</p>
<h2>${pageMessages.problems.cause}</h2>
<p>${text(problem.cause)}</p>
<h2>${pageMessages.problems.cure}</h2>
<p>${text(problem.cure)}</p>
<p class="page-next"><a href="/problems">${pageMessages.problems.all}</a></p>`
}

function listMain(problems: Problem[]): string {
  const rows = problems.map(
    ({ code, status, title }) =>
      `<li><code><b>${status}</b> <a href="/problems/${code}">${code}</a></code><span>${text(title)}</span></li>`,
  )
  return `<h1>${pageMessages.problems.all}</h1>
<p class="lead">${pageMessages.docs.problemsIntro}</p>
<ul class="calls">
${rows.join('\n')}
</ul>`
}

/** Escapes HTML. Text between backticks becomes code. */
function text(raw: string): string {
  const escaped = raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return escaped.replace(/`([^`]+)`/g, '<code>$1</code>')
}

function page({
  title,
  main,
  styles,
  script,
}: {
  title: string
  main: string
  styles: string[]
  script: string
}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)} · ${messages.name}</title>
<meta name="description" content="${text(title).replaceAll('"', '&quot;')}">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${styles.map((name) => `<link rel="stylesheet" href="/${name}">`).join('\n')}
${script}
</head>
<body>
<div id="app">
${staticMasthead()}
<main class="page page-text">
${main}
</main>
${staticFooter()}
</div>
</body>
</html>
`
}
