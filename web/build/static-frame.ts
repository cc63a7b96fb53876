import type { Plugin } from 'vite'
import { messages } from '../src/messages/en.ts'

/** The pages of the main navigation, as address and label. */
const LINKS = [
  ['/', messages.nav.studio],
  ['/history', messages.nav.history],
  ['/models', messages.nav.models],
  ['/stats', messages.nav.stats],
  ['/docs', messages.nav.docs],
] as const

/** The masthead of every page, as HTML. `components/shell.tsx` uses its elements. */
export function staticMasthead(): string {
  const links = LINKS.map(([href, label]) => `<a href="${href}">${label}</a>`)
  return `<header class="masthead">
<a href="/" class="brand"><svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><path class="mark-coin" d="M8.2 18a9 9 0 1 1 15.6 0Z"/><rect class="mark-slot" x="3" y="20" width="26" height="4" rx="2"/></svg><span>${messages.name}</span></a>
<nav class="nav" aria-label="${messages.nav.label}">${links.join('')}</nav>
</header>`
}

/** The footer of pages without script. */
export function staticFooter(): string {
  return `<footer class="footer">
<p>${messages.footer.line}</p>
<p class="footer-links"><a href="/docs">${messages.footer.docs}</a><a href="/receipt">${messages.footer.receipt}</a><a href="/problems">${messages.footer.problems}</a></p>
</footer>`
}

/** Puts the masthead into index.html. */
export function mastheadInPage(): Plugin {
  return {
    name: 'coinslot-masthead',
    transformIndexHtml: (html) => html.replace('<!-- masthead -->', staticMasthead()),
  }
}

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
