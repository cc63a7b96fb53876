import { createEffect, ErrorBoundary, lazy, on, type ParentProps, Show, Suspense } from 'solid-js'
import { isAsking } from '../lib/purchase/states.ts'
import { useApp } from '../primitives/app-context.tsx'
import { pathname } from '../primitives/router.ts'
import { takeStatic } from '../primitives/static-parts.ts'
import { words } from '../words/en.ts'
import { InTurn } from './in-turn.tsx'
import { ThemeToggle } from './theme-toggle.tsx'
import { WalletButton } from './wallet-button.tsx'

const PurchaseDialog = lazy(() => import('./purchase-dialog.tsx'))

/** The frame of every page: masthead, the page itself, footer, and the one dialog of a purchase. */
export function Shell(props: ParentProps) {
  return (
    <>
      <a class="skip" href="#main">
        {words.nav.skip}
      </a>
      <Masthead />
      <main id="main" tabindex="-1">
        <ErrorBoundary fallback={(error: unknown) => <Broken error={error} />}>
          <Suspense fallback={<PageSkeleton />}>{props.children}</Suspense>
        </ErrorBoundary>
      </main>
      <InTurn>
        <Footer />
      </InTurn>
      <Dialogs />
    </>
  )
}

function Masthead() {
  // After a change of page the reading position of assistive technology starts at its content.
  createEffect(on(pathname, () => document.getElementById('main')?.focus({ preventScroll: true }), { defer: true }))
  return (
    <header class="masthead">
      {takeStatic('brand')}
      <Nav />
      <div class="masthead-end">
        <InTurn>
          <ThemeToggle />
          <WalletButton />
        </InTurn>
      </div>
    </header>
  )
}

/** The navigation as index.html has it; marks the page that is open. */
function Nav() {
  const nav = takeStatic('nav')
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
      <p>{words.footer.line}</p>
      <p class="footer-links">
        <a href="/docs">{words.footer.source}</a>
        <a href="/receipt">{words.footer.receipt}</a>
        <a href="/problems" rel="external">
          {words.footer.problems}
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
        <PurchaseDialog />
      </Suspense>
    </Show>
  )
}

function PageSkeleton() {
  return (
    <div class="page" role="status" aria-label={words.common.loading}>
      <div class="skeleton skeleton-title" />
      <div class="skeleton skeleton-block" />
    </div>
  )
}

function Broken(props: { error: unknown }) {
  console.error(props.error)
  return (
    <section class="page empty">
      <h1>{words.errors.title}</h1>
      <p>{words.errors.help}</p>
      <button type="button" class="button" onClick={() => location.reload()}>
        {words.errors.reload}
      </button>
    </section>
  )
}
