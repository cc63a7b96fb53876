import { createEffect, ErrorBoundary, For, on, type ParentProps, Show, Suspense } from 'solid-js'
import { Deferred } from '../../../shared/deferred.tsx'
import { languageAt, pathIn } from '../../../shared/languages.ts'
import { LoadError } from '../../../shared/load-code.ts'
import { shared } from '../../../shared/texts.ts'
import { ThemeToggle } from '../../../shared/theme-toggle.tsx'
import { isAsking, isPaying } from '../lib/purchase/states.ts'
import { messages } from '../messages/active.ts'
import { at, purchaseWords } from '../messages/load.ts'
import { useApp } from '../primitives/app-context.tsx'
import { lazyPart } from '../primitives/lazy-part.ts'
import { takePrerendered } from '../primitives/prerendered.ts'
import { pathname, search } from '../primitives/router.ts'
import { LazyPlace, LoadFailed } from './lazy-place.tsx'
import { WalletButton } from './wallet-button.tsx'

const LanguageMenu = lazyPart(() => import('../../../shared/language-menu.tsx'))
const PaymentDialog = lazyPart(() => import('./payment-dialog.tsx'), purchaseWords)

/** The frame of every page: masthead, page, footer and the payment dialog. */
export function Shell(props: ParentProps) {
  return (
    <>
      <a class="skip" href="#main">
        {shared.skip}
      </a>
      <Masthead />
      <main id="main" tabindex="-1">
        <ErrorBoundary fallback={(error: unknown, reset) => <PageFailed error={error} onLeave={reset} />}>
          <Suspense fallback={<PageSkeleton />}>{props.children}</Suspense>
        </ErrorBoundary>
      </main>
      <Deferred>
        <Footer />
      </Deferred>
      <Dialogs />
    </>
  )
}

function Masthead() {
  // After a change of page, assistive technology starts reading at the content.
  createEffect(on(pathname, () => document.getElementById('main')?.focus({ preventScroll: true }), { defer: true }))
  return (
    <header class="masthead">
      {takePrerendered('brand')}
      <Nav />
      <div class="masthead-end">
        <Deferred>
          <ErrorBoundary fallback={<span />}>
            <Suspense fallback={<span class="icon-button" />}>
              <LanguageMenu hrefIn={(language) => pathIn(language, pathname()) + search()} />
            </Suspense>
          </ErrorBoundary>
          <ThemeToggle />
          <WalletButton />
        </Deferred>
      </div>
    </header>
  )
}

/** The navigation from index.html. It marks the open page. */
function Nav() {
  const nav = takePrerendered('nav')
  // index.html links to its own page in the other languages.
  const others = document.querySelectorAll<HTMLLinkElement>('link[hreflang]')
  createEffect(() => {
    for (const link of others) {
      const { origin, pathname: before } = new URL(link.href)
      link.href = origin + pathIn(languageAt(before), pathname())
    }
  })
  createEffect(() => {
    for (const link of nav?.querySelectorAll('a') ?? []) {
      if (link.getAttribute('href') === at(pathname())) link.setAttribute('aria-current', 'page')
      else link.removeAttribute('aria-current')
    }
  })
  // A mark beside History while a purchase runs.
  const app = useApp()
  createEffect(() => {
    const link = nav?.querySelector(`a[href="${at('/history')}"]`)
    if (isPaying(app.purchase())) link?.setAttribute('data-running', messages.nav.running)
    else link?.removeAttribute('data-running')
  })
  return nav
}

/** Pages without script, written by the build. */
const TRUST = ['status', 'refunds', 'terms', 'privacy', 'contact'] as const

function Footer() {
  return (
    <footer class="footer">
      <p>{messages.footer.line}</p>
      <p class="footer-links">
        <a href={at('/docs')}>{messages.footer.docs}</a>
        <a href={at('/receipt')}>{messages.footer.receipt}</a>
        <a href="/problems" rel="external">
          {messages.footer.problems}
        </a>
        <For each={TRUST}>
          {(name) => (
            <a href={at(`/${name}`)} rel="external">
              {messages.footer[name]}
            </a>
          )}
        </For>
      </p>
    </footer>
  )
}

function Dialogs() {
  const app = useApp()
  return (
    <>
      <Show when={isAsking(app.purchase())}>
        <LazyPlace failedClass="notice-fixed">
          <PaymentDialog />
        </LazyPlace>
      </Show>
      <Show when={app.payingFailed()}>
        <LoadFailed text={messages.errors.payingNotLoaded} class="notice-fixed" />
      </Show>
    </>
  )
}

function PageSkeleton() {
  return (
    <div class="page" role="status" aria-label={messages.common.loading}>
      <div class="skeleton skeleton-title" />
      <div class="skeleton skeleton-page" />
    </div>
  )
}

/** Shown instead of a page that failed, until another page is opened. */
function PageFailed(props: { error: unknown; onLeave(): void }) {
  if (props.error instanceof LoadError) console.warn('coinslot: a page could not be loaded', props.error.cause)
  else console.error(props.error)
  createEffect(on(pathname, () => props.onLeave(), { defer: true }))
  return (
    <section class="page empty" role="alert">
      <h1>{props.error instanceof LoadError ? messages.errors.notLoaded : messages.errors.title}</h1>
      <p>{messages.errors.help}</p>
      <button type="button" class="button" onClick={() => location.reload()}>
        {messages.errors.reload}
      </button>
    </section>
  )
}

/** Sets the document's title while its page is shown. */
export function Title(props: { children: string }) {
  createEffect(() => {
    document.title = props.children
  })
  return null
}
