import { type Component, createEffect, createSignal, ErrorBoundary, For, onCleanup, onMount, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { shared } from '../../shared/texts.ts'
import { ThemeToggle } from '../../shared/theme-toggle.tsx'
import { DEV_CHAIN } from '../../shared/wallet/provider.ts'
import { type DashboardConfig, NotConfiguredError } from './config.ts'
import { createDashboard, type Dashboard, DashboardContext } from './create-dashboard.ts'
import { messages } from './messages.ts'
import { Checklist } from './pages/checklist.tsx'
import { Roles } from './pages/roles.tsx'
import { Sale } from './pages/sale.tsx'
import { Token } from './pages/token.tsx'
import { Treasury } from './pages/treasury.tsx'
import { Alerts } from './parts/alerts.tsx'
import { Status } from './parts/status.tsx'

const PAGES = { sale: Sale, treasury: Treasury, token: Token, roles: Roles, checklist: Checklist }
type PageName = keyof typeof PAGES
const NAMES: readonly PageName[] = ['sale', 'treasury', 'token', 'roles', 'checklist']

/** The page that the address names after `#/`; the sale for every other address. */
function createPage() {
  const here = (): PageName => NAMES.find((name) => location.hash === `#/${name}`) ?? 'sale'
  const [page, setPage] = createSignal(here())
  const onChange = (): void => {
    if (!location.hash.startsWith('#/')) return
    setPage(here())
    window.scrollTo({ top: 0, behavior: 'instant' })
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  onMount(() => window.addEventListener('hashchange', onChange))
  onCleanup(() => window.removeEventListener('hashchange', onChange))
  return page
}

/** The whole dashboard: the frame, and one page. */
export function App(props: { config: DashboardConfig | Error }) {
  const page = createPage()
  createEffect(() => {
    document.title = messages.title(messages.nav[page()])
  })
  // The configuration is read once, before the first render.
  const { config } = props
  return (
    <>
      <a class="skip" href="#main">
        {shared.skip}
      </a>
      <Masthead page={page()} />
      <main id="main" tabindex="-1" class="page page-wide">
        <ErrorBoundary fallback={(error: unknown) => <Failed error={error} />}>
          {config instanceof Error ? (
            <Failed error={config} />
          ) : (
            <Pages dashboard={createDashboard(config)} page={PAGES[page()]} />
          )}
        </ErrorBoundary>
      </main>
      <footer class="footer">
        <p>{messages.footer}</p>
      </footer>
    </>
  )
}

function Masthead(props: { page: PageName }) {
  return (
    <header class="masthead">
      <a href="#/sale" class="brand">
        <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
          <path class="mark-coin" d="M8.2 18a9 9 0 1 1 15.6 0Z" />
          <rect class="mark-slot" x="3" y="20" width="26" height="4" rx="2" />
        </svg>
        <span>
          {messages.brand} <span class="brand-part">{messages.name}</span>
        </span>
      </a>
      <nav class="nav" aria-label={messages.nav.label}>
        <For each={NAMES}>
          {(name) => (
            <a href={`#/${name}`} aria-current={props.page === name ? 'page' : undefined}>
              {messages.nav[name]}
            </a>
          )}
        </For>
      </nav>
      <div class="masthead-end">
        <ThemeToggle />
      </div>
    </header>
  )
}

function Pages(props: { dashboard: Dashboard; page: Component }) {
  // The dashboard is made once.
  const { dashboard } = props
  return (
    <>
      <Status dashboard={dashboard} />
      <Show when={dashboard.view() !== null} fallback={<Skeleton />}>
        <DashboardContext.Provider value={dashboard}>
          <Alerts />
          <Dynamic component={props.page} />
        </DashboardContext.Provider>
      </Show>
    </>
  )
}

function Skeleton() {
  return (
    <div role="status" aria-label={messages.loading}>
      <div class="skeleton skeleton-title" />
      <div class="skeleton skeleton-block" />
    </div>
  )
}

/** Instead of the pages: what is missing, or that the page has to be loaded again. */
function Failed(props: { error: unknown }) {
  const missing = () => (props.error instanceof NotConfiguredError ? props.error.missing : null)
  if (missing() === null) console.error(props.error)
  return (
    <section class="empty" role="alert">
      <Show when={missing()} fallback={<h1>{messages.notLoaded}</h1>}>
        {(names) => (
          <>
            <h1>{messages.notConfigured.title}</h1>
            <p>{DEV_CHAIN ? messages.notConfigured.local : messages.notConfigured.built}</p>
            <ul>
              <For each={names()}>
                {(name) => (
                  <li>
                    <code>{name}</code>
                  </li>
                )}
              </For>
            </ul>
          </>
        )}
      </Show>
    </section>
  )
}
