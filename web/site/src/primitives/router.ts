import { type Component, createMemo, createSignal, onCleanup, onMount } from 'solid-js'
import { languageAt, withoutLanguage } from '../../../shared/languages.ts'
import { pageWords } from '../messages/load.ts'
import { type LazyComponent, lazyPart } from './lazy-part.ts'

/** The present address, without its language. `search` is its query and fragment, each with its first sign. */
interface Place {
  pathname: string
  search: string
}

export type Page = Component & Partial<Pick<LazyComponent<object>, 'preload'>>

const here = (): Place => ({ pathname: withoutLanguage(location.pathname), search: location.search + location.hash })

const [place, setPlace] = createSignal(here(), { equals: (a, b) => a.pathname === b.pathname && a.search === b.search })

export const pathname = (): string => place().pathname
export const search = (): string => place().search

/** Opens an address of this site without a new load. */
export function navigate(href: string): void {
  history.pushState(null, '', href)
  setPlace(here())
  window.scrollTo({ top: 0, behavior: 'instant' })
}

/** Changes the address of the present page without a new history entry. */
export function replaceAddress(href: string): void {
  history.replaceState(null, '', href)
  setPlace(here())
}

/** The id in `/i/<id>` and `/s/<id>`, or an empty string elsewhere. */
export function resultId(): string {
  return decodeURIComponent(/^\/[is]\/([^/]+)$/.exec(pathname())?.[1] ?? '')
}

/** A page whose code and texts are loaded when it is opened, or when the pointer or focus reaches a link to it. */
export function page(load: () => Promise<{ default: Component }>): Page {
  return lazyPart(load, pageWords)
}

/**
 * The page for the present address. Plain links of the site open in place. The browser handles all others: other sites, a
 * target, a modifier key, or `rel="external"`.
 */
export function createRouter(pages: Record<string, Page>, notFound: Page): () => Page {
  const pageAt = (path: string): Page => pages[/^\/[is](?=\/.)/.exec(path)?.[0] ?? path] ?? notFound

  const onClick = (event: MouseEvent): void => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    const link = innerLink(event.target)
    if (link === null) return
    event.preventDefault()
    if (link.href !== location.href) navigate(link.href)
  }
  const onPoint = (event: Event): void => {
    const link = innerLink(event.target)
    if (link !== null) pageAt(withoutLanguage(new URL(link.href).pathname)).preload?.()
  }
  const onPop = (): void => {
    // Only the entries of `lib/back-button.ts` have a state. What was open there is closed by now, so the entry is left. A dialog that
    // asks for money is not opened again by the forward button.
    if (history.state) history.back()
    else history.scrollRestoration = 'auto'
    setPlace(here())
  }

  onMount(() => {
    document.addEventListener('click', onClick)
    document.addEventListener('pointerover', onPoint, { passive: true })
    document.addEventListener('focusin', onPoint)
    window.addEventListener('popstate', onPop)
    onPop()
  })
  onCleanup(() => {
    document.removeEventListener('click', onClick)
    document.removeEventListener('pointerover', onPoint)
    document.removeEventListener('focusin', onPoint)
    window.removeEventListener('popstate', onPop)
  })
  return createMemo(() => pageAt(pathname()))
}

function innerLink(target: EventTarget | null): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest('a') : null
  if (link === null || link.target !== '' || link.rel === 'external' || link.hasAttribute('download')) return null
  const { origin, pathname } = new URL(link.href)
  // A page in another language is loaded again.
  const isInner = origin === location.origin && languageAt(pathname) === languageAt(location.pathname)
  return isInner && link.getAttribute('href')?.startsWith('#') === false ? link : null
}
