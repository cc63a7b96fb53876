import type { Plugin, Rollup } from 'vite'
import { directionOf, pathIn } from '../shared/languages.ts'
import { alternateLinks } from './language-pages.ts'
import { staticFooter, staticMasthead } from './static-frame.ts'
import type { PageWords } from './words.ts'

/** A page without script. */
export interface PlainPage {
  /** Address and file name in English, without `.html`. */
  path: string
  words: PageWords
  /** True if the page exists in every language. */
  isTranslated: boolean
  title: string
  /** HTML of the main part. */
  main: string
}

/** Writes pages that need no script: they share the site's style sheet, masthead and footer. */
export function plainPages(makePages: () => PlainPage[], origin: string): Plugin {
  return {
    name: 'coinslot-plain-pages',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const styles = Object.keys(bundle).filter((name) => name.endsWith('.css'))
      const script = inlineScript(bundle)
      for (const page of makePages()) {
        const fileName = `${pathIn(page.words.language, `/${page.path}`).slice(1)}.html`
        this.emitFile({ type: 'asset', fileName, source: htmlOf(page, styles, script, origin) })
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

function htmlOf(page: PlainPage, styles: string[], script: string, origin: string): string {
  const { title, main, words } = page
  const { language, messages } = words
  const account = `<a class="button button-quiet" href="${pathIn(language, '/account')}">${messages.nav.account}</a>`
  return `<!doctype html>
<html lang="${language.tag}" dir="${directionOf(language.tag)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)} · ${messages.name}</title>
<meta name="description" content="${text(title).replaceAll('"', '&quot;')}">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${styles.map((name) => `<link rel="stylesheet" href="/${name}">`).join('\n')}
${page.isTranslated ? alternateLinks(`/${page.path}`, origin) : ''}
${script}
</head>
<body>
<div id="app">
${staticMasthead(words, `<div class="masthead-end">${account}</div>`)}
<main class="page page-text">
${main}
</main>
${staticFooter(words, page.isTranslated ? `/${page.path}` : null)}
</div>
</body>
</html>
`
}
