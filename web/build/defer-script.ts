import type { Plugin } from 'vite'

const ENTRY = /\s*<script type="module"[^>]*src="(\/[^"]+)"[^>]*><\/script>/

/** Every page needs the models with their prices. They are fetched beside the script, not after it. */
const PRELOAD = '<link rel="preload" as="fetch" crossorigin="use-credentials" href="/api/models">'

/**
 * Starts the site's script after the browser has painted index.html, at the latest after half a second. It starts at once in a tab
 * that is not visible, and not at all in a browser that is too old. The file is fetched meanwhile.
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
        .replace(ENTRY, `\n    <link rel="modulepreload" crossorigin href="${entry}">\n    ${PRELOAD}`)
        .replace('</body>', `  <script>${starter(entry)}</script>\n  </body>`)
    },
  }
}

const LONGEST_WAIT_MS = 500

/**
 * Starting twice is harmless: a module runs once. A browser remembers a failed import until the page is loaded again, so the page
 * is loaded again once. After that it says that it could not be loaded.
 */
const starter = (entry: string): string =>
  [
    '{const part=id=>document.getElementById(id)',
    'const failed=()=>{performance.getEntriesByType("navigation")[0].type=="reload"?part("not-loaded").hidden=false:location.reload()}',
    `const start=()=>import(${JSON.stringify(entry)}).catch(()=>part("not-loaded")&&failed())`,
    `part("too-old").hidden&&(document.hidden?start():new PerformanceObserver(start).observe({type:"paint",buffered:true}),setTimeout(start,${LONGEST_WAIT_MS}))}`,
  ].join(';')
