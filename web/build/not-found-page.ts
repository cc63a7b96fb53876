import type { Plugin } from 'vite'

/** Writes `404.html`, the site's own page for addresses that do not exist, so that Pages answers with status 404. */
export function notFoundPage(): Plugin {
  return {
    name: 'coinslot-not-found',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') throw new Error('index.html is not in the bundle')
      this.emitFile({ type: 'asset', fileName: '404.html', source: page.source })
    },
  }
}
