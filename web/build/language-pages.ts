import type { Plugin, Rollup } from 'vite'
import { directionOf, LANGUAGES, languageAt, pathIn } from '../shared/languages.ts'
import { startPrices, staticMasthead, withoutScript } from './static-frame.ts'
import { type PageWords, wordsOf } from './words.ts'

interface Options {
  /** The first public origin, or an empty string. */
  origin: string
  /** The oldest browsers that the site runs in, as text. */
  browsers: string
}

/**
 * Writes index.html in each language, with its text in place before the first paint: `index.html`, `es/index.html`, … A page links to
 * the others (`hreflang`) and preloads its own texts. Each folder has a `404.html`, which Pages answers with status 404.
 */
export function languagePages(options: Options): Plugin[] {
  return [
    {
      name: 'coinslot-language-pages-dev',
      apply: 'serve',
      transformIndexHtml: (html, { originalUrl }) =>
        fill(html, wordsOf(languageAt((originalUrl ?? '/').split('?')[0] ?? '/')), options),
    },
    {
      name: 'coinslot-language-pages',
      apply: 'build',
      enforce: 'post',
      generateBundle(_, bundle) {
        const page = bundle['index.html']
        if (page?.type !== 'asset') throw new Error('index.html is not in the bundle')
        const template = String(page.source)
        for (const language of LANGUAGES) {
          const words = `<link rel="modulepreload" crossorigin href="/${fileOf(bundle, language.tag)}">`
          const source = fill(template, wordsOf(language), options).replace('</head>', `  ${words}\n  </head>`)
          if (language.folder === '') page.source = source
          else this.emitFile({ type: 'asset', fileName: `${language.folder}/index.html`, source })
          this.emitFile({ type: 'asset', fileName: pathIn(language, '/404.html').slice(1), source })
        }
      },
    },
  ]
}

/** Links to the same page in each language. `x-default` is for all other languages. */
export function alternateLinks(path: string, origin: string): string {
  const links = LANGUAGES.map((language) => [language.tag, pathIn(language, path)])
  return [...links, ['x-default', path]]
    .map(([tag, href]) => `<link rel="alternate" hreflang="${tag}" href="${origin}${href}" />`)
    .join('\n    ')
}

function fill(html: string, words: PageWords, { origin, browsers }: Options): string {
  const { language, messages, staticMessages } = words
  const texts: Record<string, string> = {
    '<html lang="en">': `<html lang="${language.tag}" dir="${directionOf(language.tag)}">`,
    '%TITLE%': messages.title,
    '%DESCRIPTION%': staticMessages.description,
    '%HEADLINE%': messages.studio.headline,
    '%SUB%': messages.studio.sub,
    '%TOO_OLD%': staticMessages.tooOld(browsers),
    '%NOT_LOADED%': staticMessages.notLoaded,
    '<!-- other languages -->': alternateLinks('/', origin),
    '<!-- masthead -->': staticMasthead(words),
    '<!-- models -->': startPrices(words),
    '<!-- without script -->': withoutScript(words),
  }
  return Object.entries(texts).reduce((filled, [place, text]) => filled.replaceAll(place, text), html)
}

function fileOf(bundle: Rollup.OutputBundle, tag: string): string {
  const found = Object.values(bundle).find(
    (part) => part.type === 'chunk' && part.facadeModuleId?.endsWith(`/messages/${tag}.ts`),
  )
  if (found === undefined) throw new Error(`there is no chunk with the texts of ${tag}`)
  return found.fileName
}
