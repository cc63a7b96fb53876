import type { Plugin } from 'vite'

const ENTRY = /\s*<script type="module"[^>]*src="(\/[^"]+)"[^>]*><\/script>/

/**
 * Starts the site's script after the browser has painted index.html, at the latest after half a second. It starts at once in a tab
 * that is not visible, and not at all in a browser that is too old. The file is fetched meanwhile, and so is what every page needs
 * (`preload`, a path).
 */
export function deferScript(preload?: string): Plugin {
  const more =
    preload === undefined ? '' : `\n    <link rel="preload" as="fetch" crossorigin="use-credentials" href="${preload}">`
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
      if (!html.includes('id="not-loaded"'))
        throw new Error('index.html has no sentence for a script that fails to load')
      page.source = html
        .replace(ENTRY, `\n    <link rel="modulepreload" crossorigin href="${entry}">${more}`)
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
    `const old=part("too-old");(!old||old.hidden)&&(document.hidden?start():new PerformanceObserver(start).observe({type:"paint",buffered:true}),setTimeout(start,${LONGEST_WAIT_MS}))}`,
  ].join(';')
