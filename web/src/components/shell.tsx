import { createEffect, ErrorBoundary, lazy, on, type ParentProps, Show, Suspense } from 'solid-js'
import { isAsking } from '../lib/purchase/states.ts'
import { messages } from '../messages/en.ts'
import { useApp } from '../primitives/app-context.tsx'
import { takePrerendered } from '../primitives/prerendered.ts'
import { pathname } from '../primitives/router.ts'
import { Deferred } from './deferred.tsx'
import { ThemeToggle } from './theme-toggle.tsx'
import { WalletButton } from './wallet-button.tsx'

const PaymentDialog = lazy(() => import('./payment-dialog.tsx'))

/** The frame of every page: masthead, the page itself, footer, and the one dialog of a purchase. */
export function Shell(props: ParentProps) {
  return (
    <>
      <a class="skip" href="#main">
        {messages.nav.skip}
      </a>
      <Masthead />
      <main id="main" tabindex="-1">
        <ErrorBoundary fallback={(error: unknown) => <Broken error={error} />}>
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
  // After a change of page the reading position of assistive technology starts at its content.
  createEffect(on(pathname, () => document.getElementById('main')?.focus({ preventScroll: true }), { defer: true }))
  return (
    <header class="masthead">
      {takePrerendered('brand')}
      <Nav />
      <div class="masthead-end">
        <Deferred>
          <ThemeToggle />
          <WalletButton />
        </Deferred>
      </div>
    </header>
  )
}

/** The navigation as index.html has it; marks the page that is open. */
function Nav() {
  const nav = takePrerendered('nav')
  createEffect(() => {
    for (const link of nav?.querySelectorAll('a') ?? []) {
      if (link.getAttribute('href') === pathname()) link.setAttribute('aria-current', 'page')
      else link.removeAttribute('aria-current')
    }
  })
  return nav
}

function Footer() {
  return (
    <footer class="footer">
      <p>{messages.footer.line}</p>
      <p class="footer-links">
        <a href="/docs">{messages.footer.source}</a>
        <a href="/receipt">{messages.footer.receipt}</a>
        <a href="/problems" rel="external">
          {messages.footer.problems}
        </a>
      </p>
    </footer>
  )
}

function Dialogs() {
  const app = useApp()
  return (
    <Show when={isAsking(app.purchase())}>
      <Suspense>
        <PaymentDialog />
      </Suspense>
    </Show>
  )
}

function PageSkeleton() {
  return (
    <div class="page" role="status" aria-label={messages.common.loading}>
      <div class="skeleton skeleton-title" />
      <div class="skeleton skeleton-block" />
    </div>
  )
}

function Broken(props: { error: unknown }) {
  console.error(props.error)
  return (
    <section class="page empty">
      <h1>{messages.errors.title}</h1>
      <p>{messages.errors.help}</p>
      <button type="button" class="button" onClick={() => location.reload()}>
        {messages.errors.reload}
      </button>
    </section>
  )
}
