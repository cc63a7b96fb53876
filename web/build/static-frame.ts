import type { Plugin } from 'vite'
import { SITE_LINKS } from '../src/lib/site-links.ts'
import { words } from '../src/words/en.ts'

/** The masthead as it stands in pages before or without script: that of `components/shell.tsx`, so that nothing moves when script comes. */
export function staticMasthead(): string {
  const links = SITE_LINKS.map(([href, label]) => `<a href="${href}">${label}</a>`)
  return `<header class="masthead">
<a href="/" class="brand"><svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><path class="mark-coin" d="M8.2 18a9 9 0 1 1 15.6 0Z"/><rect class="mark-slot" x="3" y="20" width="26" height="4" rx="2"/></svg><span>${words.name}</span></a>
<nav class="nav" aria-label="${words.nav.label}">${links.join('')}</nav>
</header>`
}

/** The footer of pages without script. */
export function staticFooter(): string {
  return `<footer class="footer">
<p>${words.footer.line}</p>
<p class="footer-links"><a href="/docs">${words.footer.source}</a><a href="/receipt">${words.footer.receipt}</a><a href="/problems">${words.footer.problems}</a></p>
</footer>`
}

/** Puts the masthead into index.html. */
export function mastheadInPage(): Plugin {
  return {
    name: 'coinslot-masthead',
    transformIndexHtml: (html) => html.replace('<!-- masthead -->', staticMasthead()),
  }
}
