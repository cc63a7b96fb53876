import type { Plugin } from 'vite'

/**
 * Puts the style sheet into index.html, so that the first paint needs no second request. The content policy has its hash. The file
 * remains, since the pages without script link to it. `base` is what is before the site's paths.
 */
export function inlineStyles(base = '/'): Plugin {
  return {
    name: 'coinslot-inline-styles',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') throw new Error('index.html is not in the bundle')
      page.source = String(page.source).replace(
        /<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/g,
        (_link, path: string) => {
          const name = path.slice(base.length)
          const sheet = bundle[name]
          if (sheet?.type !== 'asset') throw new Error(`there is no style sheet ${name}`)
          return `<style>${String(sheet.source).trim()}</style>`
        },
      )
    },
  }
}
