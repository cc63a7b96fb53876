import { For, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { ThemeToggle } from '../../src/components/theme-toggle.tsx'
import { DEV_CHAIN } from '../../src/lib/dev-chain.ts'
import type { SaleConfig } from './config.ts'
import { createSale } from './create-sale.ts'
import { createWallet } from './create-wallet.ts'
import { messages } from './messages/en.ts'
import { ClaimPage } from './pages/claim.tsx'
import { SalePage } from './pages/sale.tsx'
import { TokenPage } from './pages/token.tsx'
import { SaleProvider } from './sale-context.tsx'

const BASE = import.meta.env.BASE_URL
const PAGES = [
  { path: '', label: messages.nav.sale, page: SalePage },
  { path: 'claim', label: messages.nav.claim, page: ClaimPage },
  { path: 'token', label: messages.nav.token, page: TokenPage },
] as const

/** The page of this address: each is a document, so that links need no script. */
function currentPage() {
  const path = location.pathname.slice(BASE.length).replace(/\/+$/, '')
  return PAGES.find((one) => one.path === path) ?? PAGES[0]
}

/** The whole site: the frame, and one page. */
export function App(props: { config: SaleConfig | Error }) {
  const here = currentPage()
  document.title = messages.title(here.label)
  // The configuration is read once, before the first render.
  const { config } = props
  return (
    <>
      <a class="skip" href="#main">
        {messages.skip}
      </a>
      <Masthead path={here.path} />
      <main id="main" tabindex="-1" class="page page-wide">
        <Show when={DEV_CHAIN}>
          <p class="eyebrow">{messages.local}</p>
        </Show>
        {config instanceof Error ? (
          <p class="notice" role="alert">
            {messages.notLoaded(config.message)}
          </p>
        ) : (
          <Page config={config} path={here.path} />
        )}
      </main>
      <footer class="footer">
        <p>{messages.footer}</p>
      </footer>
    </>
  )
}

function Page(props: { config: SaleConfig; path: string }) {
  const wallet = createWallet(props.config.chainId)
  const view = createSale(props.config, wallet)
  return (
    <SaleProvider wallet={wallet} view={view}>
      <Dynamic component={PAGES.find(({ path }) => path === props.path)?.page} />
      <p class="as-of" role="status">
        <Show when={view.isUnreachable()}>{messages.unreachable}</Show>
      </p>
    </SaleProvider>
  )
}

function Masthead(props: { path: string }) {
  return (
    <header class="masthead">
      <a href={BASE} class="brand">
        <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
          <path class="mark-coin" d="M8.2 18a9 9 0 1 1 15.6 0Z" />
          <rect class="mark-slot" x="3" y="20" width="26" height="4" rx="2" />
        </svg>
        <span>{messages.brand}</span>
      </a>
      <nav class="nav" aria-label={messages.nav.label}>
        <For each={PAGES}>
          {({ path, label }) => (
            <a href={BASE + path} aria-current={props.path === path ? 'page' : undefined}>
              {label}
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
