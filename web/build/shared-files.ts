import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const PUBLIC = join(import.meta.dirname, '../site/public')

/** Fonts and icon of the site: what every other site of this folder shows too, from its own origin. */
const SHARED = ['fonts/bodoni-moda.woff2', 'fonts/hanken-grotesk.woff2', 'icon.svg'] as const

/** Puts the site's fonts and icon into another site's build. */
export function sharedFiles(): Plugin {
  return {
    name: 'coinslot-shared-files',
    apply: 'build',
    generateBundle() {
      for (const fileName of SHARED) {
        this.emitFile({ type: 'asset', fileName, source: readFileSync(join(PUBLIC, fileName)) })
      }
    },
  }
}
