import { fileURLToPath } from 'node:url'
import type { Plugin, Rollup } from 'vite'

/** Vite's own wrapper of `import()`. Every `import()` of the site's code is built as a call of it. */
const WRAPPER = '\0vite/preload-helper.js'
const OURS = fileURLToPath(new URL('../shared/load-code.ts', import.meta.url))

/** Wraps every `import()` in `loadCode`, which fetches its files with retries. Fails the build if Vite's wrapper is used instead. */
export function retryImports(): Plugin {
  return {
    name: 'coinslot-retry-imports',
    apply: 'build',
    enforce: 'pre',
    load: (id) => (id === WRAPPER ? `export { loadCode as __vitePreload } from ${JSON.stringify(OURS)}` : null),
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
      const code = (chunk: Rollup.OutputChunk): string => chunk.code
      if (chunks.map(code).some((text) => text.includes('vite:preloadError')))
        throw new Error('an import() of the site is not tried again')
    },
  }
}

/** The files of an `import()`: Vite leaves out a file that needs no other. */
export function filesOfImport(file: string, needed: string[], { hostType }: { hostType: 'html' | 'js' }): string[] {
  return hostType === 'js' && needed.length === 0 ? [file] : needed
}
