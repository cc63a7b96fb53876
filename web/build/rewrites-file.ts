import type { Plugin } from 'vite'
import { LANGUAGES, pathIn } from '../shared/languages.ts'

/** The addresses of the app, besides the start page. */
const PATHS = ['/history', '/account', '/stats', '/models', '/docs', '/receipt', '/i/*']

/** Writes `_redirects` for Pages: each address of the app is answered by the start page of its language. */
export function rewritesFile(): Plugin {
  return {
    name: 'coinslot-rewrites',
    apply: 'build',
    generateBundle() {
      const lines = LANGUAGES.flatMap((language) =>
        PATHS.map((path) => `${pathIn(language, path)} ${pathIn(language, '/')} 200\n`),
      )
      this.emitFile({ type: 'asset', fileName: '_redirects', source: lines.join('') })
    },
  }
}
