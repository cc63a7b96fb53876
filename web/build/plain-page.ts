import type { Plugin, Rollup } from 'vite'
import { messages } from '../src/messages/en.ts'
import { staticFooter, staticMasthead } from './static-frame.ts'

/** A page without script. */
export interface PlainPage {
  /** Address and file name, without `.html`. */
  path: string
  title: string
  /** HTML of the main part. */
  main: string
}

/** Writes pages that need no script: they share the site's style sheet, masthead and footer. */
export function plainPages(makePages: () => PlainPage[]): Plugin {
  return {
    name: 'coinslot-plain-pages',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const styles = Object.keys(bundle).filter((name) => name.endsWith('.css'))
      const script = inlineScript(bundle)
      for (const page of makePages()) {
        this.emitFile({ type: 'asset', fileName: `${page.path}.html`, source: htmlOf(page, styles, script) })
      }
    },
  }
}

/** The same inline script as in index.html, so that its hash in the content policy is the same. */
function inlineScript(bundle: Rollup.OutputBundle): string {
  const index = bundle['index.html']
  if (index?.type !== 'asset') throw new Error('index.html is not in the bundle')
  return /<script>[\s\S]*?<\/script>/.exec(String(index.source))?.[0] ?? ''
}

/** Escapes HTML. Text between backticks becomes code. */
export function text(raw: string): string {
  const escaped = raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return escaped.replace(/`([^`]+)`/g, '<code>$1</code>')
}

function htmlOf({ title, main }: PlainPage, styles: string[], script: string): string {
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
${staticMasthead(`<div class="masthead-end"><a class="button button-quiet" href="/account">${messages.nav.account}</a></div>`)}
<main class="page page-text">
${main}
</main>
${staticFooter()}
</div>
</body>
</html>
`
}
