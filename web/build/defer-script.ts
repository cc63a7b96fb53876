import type { Plugin } from 'vite'

const ENTRY = /\s*<script type="module"[^>]*src="(\/[^"]+)"[^>]*><\/script>/

/**
 * Lets the browser show what index.html holds before any script of the site runs; the script is fetched meanwhile. It starts once
 * something was shown, at the latest after half a second, and at once where nobody looks.
 */
export function deferScript(): Plugin {
  return {
    name: 'coinslot-defer-script',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') throw new Error('index.html is not in the bundle')
      const html = String(page.source)
      const entry = ENTRY.exec(html)?.[1]
      if (entry === undefined) throw new Error('index.html starts no script')
      page.source = html
        .replace(ENTRY, `\n    <link rel="modulepreload" crossorigin href="${entry}">`)
        .replace('</body>', `  <script>${starter(entry)}</script>\n  </body>`)
    },
  }
}

const LONGEST_WAIT_MS = 500

/** Starting twice is harmless: a module runs once. */
const starter = (entry: string): string =>
  `{const start=()=>import(${JSON.stringify(entry)});document.hidden?start():new PerformanceObserver(start).observe({type:"paint",buffered:true});setTimeout(start,${LONGEST_WAIT_MS})}`
