import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { feltPrice } from '../src/lib/money.ts'
import { messages } from '../src/messages/en.ts'
import { pageMessages } from '../src/messages/en-pages.ts'

/** The pages of the main navigation, as address and label. */
const LINKS = [
  ['/', messages.nav.studio],
  ['/history', messages.nav.history],
  ['/models', messages.nav.models],
  ['/stats', messages.nav.stats],
  ['/docs', messages.nav.docs],
] as const

/** The masthead of every page, as HTML. `components/shell.tsx` uses its elements. `end` is what follows the navigation. */
export function staticMasthead(end = ''): string {
  const links = LINKS.map(([href, label]) => `<a href="${href}">${label}</a>`)
  return `<header class="masthead">
<a href="/" class="brand"><svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><path class="mark-coin" d="M8.2 18a9 9 0 1 1 15.6 0Z"/><rect class="mark-slot" x="3" y="20" width="26" height="4" rx="2"/></svg><span>${messages.name}</span></a>
<nav class="nav" aria-label="${messages.nav.label}">${links.join('')}</nav>${end}
</header>`
}

/** Pages of the footer. */
const FOOT = [
  ['/docs', messages.footer.docs],
  ['/receipt', messages.footer.receipt],
  ['/problems', messages.footer.problems],
  ['/status', messages.footer.status],
  ['/refunds', messages.footer.refunds],
  ['/terms', messages.footer.terms],
  ['/privacy', messages.footer.privacy],
  ['/contact', messages.footer.contact],
] as const

/** The footer of pages without script. */
export function staticFooter(): string {
  const links = FOOT.map(([href, label]) => `<a href="${href}">${label}</a>`)
  return `<footer class="footer">
<p>${messages.footer.line}</p>
<p class="footer-links">${links.join('')}</p>
</footer>`
}

/** What a browser without script shows on every page: how a program buys, and where the models and errors are. */
function withoutScript(): string {
  const { docs, withoutScript: words } = pageMessages
  return `<section class="page page-text">
<p class="lead">${words.intro}</p>
<h2>${docs.flowTitle}</h2>
<ol class="flow">${docs.flow.map((line) => `<li>${line}</li>`).join('')}</ol>
<p class="page-next"><a href="/api/models">${words.models}</a> · <a href="/api/openapi.json">${docs.openapi}</a> · <a href="/llms.txt">${words.programs}</a> · <a href="/problems">${pageMessages.problems.all}</a> · <a href="/contact">${messages.footer.contact}</a></p>
</section>`
}

/** Names and starting prices of the models, painted with the headline until the script has the present prices. */
function modelRows(): string {
  const rows = readStartPrices().map(
    ({ name, startUsdc }) => `<li><span>${name}</span><span class="figures">${feltPrice(startUsdc)}</span></li>`,
  )
  return `<section class="start-prices" aria-label="${pageMessages.withoutScript.startPrices}"><h2>${pageMessages.withoutScript.startPrices}</h2><ul>${rows.join('')}</ul></section>`
}

function readStartPrices(): { name: string; startUsdc: string }[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../src/generated/models.json'), 'utf8'))
}

/** Puts the masthead, the models, and the text for browsers without script into index.html. */
export function staticParts(): Plugin {
  return {
    name: 'coinslot-static-parts',
    transformIndexHtml: (html) =>
      html
        .replace('<!-- masthead -->', staticMasthead())
        .replace('<!-- models -->', modelRows())
        .replace('<!-- without script -->', withoutScript()),
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
