import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rollup } from 'vite'
import { directionOf, LANGUAGES, type Language, pathIn, placeIn, type Tag } from '../shared/languages.ts'

interface Options {
  /** The first public origin, or an empty string. */
  origin: string
  /** The prefix of the site's paths. */
  base?: string
  /** Its languages; all of them unless named. */
  languages?: readonly Language[]
  /** Its pages: each is a file in each language. */
  paths?: readonly string[]
  /** The text for each mark of index.html. */
  textsOf(language: Language, path: string): Readonly<Record<string, string>>
}

const CODE = readFileSync(join(import.meta.dirname, 'first-paint.js'), 'utf8')
const FIRST_PAINT = `<script>${CODE.replace(/^\s*\/\/.*\n/gm, '')}</script>`

/**
 * Writes index.html in each language, with its text in place before the first paint: `index.html`, `es/index.html`, … A page links to
 * the others (`hreflang`) and preloads its own texts. Each folder has a `404.html`, which Pages answers with status 404.
 */
export function languagePages(options: Options): Plugin[] {
  const { base = '/', paths = ['/'], languages = LANGUAGES } = options
  const folders = languages.map(({ folder }) => folder || 'en').join(' ')
  return [
    {
      name: 'coinslot-first-paint',
      transformIndexHtml: {
        order: 'pre',
        handler: (html) =>
          html.replace('<!-- first paint -->', () => FIRST_PAINT.replace('%BASE%', base).replace('%FOLDERS%', folders)),
      },
    },
    {
      name: 'coinslot-language-pages-dev',
      apply: 'serve',
      transformIndexHtml: (html, { originalUrl }) => {
        const { language, path } = placeIn(base, (originalUrl ?? base).split('?')[0] ?? base)
        return fill(html, language, path, options)
      },
    },
    {
      name: 'coinslot-language-pages',
      apply: 'build',
      enforce: 'post',
      generateBundle(_, bundle) {
        const page = bundle['index.html']
        if (page?.type !== 'asset') throw new Error('index.html is not in the bundle')
        const template = String(page.source)
        for (const language of languages) {
          const words = languages.length === 1 ? '' : preload(base + fileOf(bundle, language.tag))
          for (const path of [...paths, '/404']) {
            const filled = fill(template, language, path === '/404' ? '/' : path, options)
            const source = filled.replace('</head>', `${words}</head>`)
            const fileName = `${pathIn(language, path === '/' ? '/index' : path).slice(1)}.html`
            if (fileName === 'index.html') page.source = source
            else this.emitFile({ type: 'asset', fileName, source })
          }
        }
      },
    },
  ]
}

/** Loads the dictionary of each language. */
export async function loadAll<Words>(load: Record<Tag, () => Promise<Words>>): Promise<(tag: Tag) => Words> {
  const loaded = new Map(await Promise.all(LANGUAGES.map(async ({ tag }) => [tag, await load[tag]()] as const)))
  return (tag) => {
    const words = loaded.get(tag)
    if (words === undefined) throw new Error(`there are no texts of ${tag}`)
    return words
  }
}

/** Links to the same page in each language. `x-default` is for all other languages. `root` is what is before the site's paths. */
export function alternateLinks(path: string, root: string): string {
  const links = LANGUAGES.map((language) => [language.tag, pathIn(language, path)])
  return [...links, ['x-default', path]]
    .map(([tag, href]) => `<link rel="alternate" hreflang="${tag}" href="${root}${href}" />`)
    .join('\n    ')
}

const preload = (file: string): string => `  <link rel="modulepreload" crossorigin href="${file}">\n  `

function fill(html: string, language: Language, path: string, options: Options): string {
  const { origin, base = '/', languages = LANGUAGES, textsOf } = options
  const root = origin + base.slice(0, -1)
  const texts = {
    '<html lang="en">': `<html lang="${language.tag}" dir="${directionOf(language.tag)}">`,
    '<!-- other languages -->': languages.length === 1 ? '' : alternateLinks(path, root),
    ...textsOf(language, path),
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
