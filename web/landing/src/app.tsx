import { For, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { Deferred } from '../../shared/deferred.tsx'
import LanguageMenu from '../../shared/language-menu.tsx'
import { shared } from '../../shared/texts.ts'
import { ThemeToggle } from '../../shared/theme-toggle.tsx'
import { DEV_CHAIN } from '../../shared/wallet/provider.ts'
import { at, PLACE, type SaleConfig } from './config.ts'
import { createSale } from './create-sale.ts'
import { createWallet } from './create-wallet.ts'
import { span } from './format.ts'
import { messages } from './messages/active.ts'
import { ClaimPage } from './pages/claim.tsx'
import { SalePage } from './pages/sale.tsx'
import { TokenPage } from './pages/token.tsx'
import { SaleProvider } from './sale-context.tsx'

/** Each is a document, so that links need no script. `texts` has its headline and lead. */
const PAGES = [
  { path: '/', name: 'sale', texts: 'hero', page: SalePage },
  { path: '/claim', name: 'claim', texts: 'claim', page: ClaimPage },
  { path: '/token', name: 'token', texts: 'token', page: TokenPage },
] as const

/** A chain in use has a new block every few seconds. */
const OLD_BLOCK_SECONDS = 300

/** The whole site: the frame, and one page. What index.html shows already is built first, the rest in later tasks. */
export function App(props: { config: SaleConfig | Error }) {
  const here = PAGES.find(({ path }) => path === PLACE.path) ?? PAGES[0]
  document.title = messages.title(messages.nav[here.name])
  // The configuration is read once, before the first render.
  const { config } = props
  return (
    <>
      <a class="skip" href="#main">
        {shared.skip}
      </a>
      <Masthead path={here.path} />
      <main id="main" tabindex="-1" class="page page-wide">
        <Show when={DEV_CHAIN}>
          <p class="eyebrow">{messages.local}</p>
        </Show>
        <h1>{messages[here.texts].title}</h1>
        <p class="lead">{messages[here.texts].lead}</p>
        {config instanceof Error ? (
          <p class="notice" role="alert">
            {messages.notLoaded(config.message)}
          </p>
        ) : (
          <Deferred placeholder={<p class="hint">{messages.loading}</p>}>
            <Page config={config} path={here.path} />
          </Deferred>
        )}
      </main>
      <Deferred>
        <footer class="footer">
          <p>{messages.footer}</p>
        </footer>
      </Deferred>
    </>
  )
}

function Page(props: { config: SaleConfig; path: string }) {
  const wallet = createWallet(props.config.chainId)
  const view = createSale(props.config, wallet)
  return (
    <SaleProvider wallet={wallet} view={view}>
      <p class="as-of" role="status">
        <Show when={view.isUnreachable()}>{messages.unreachable}</Show>{' '}
        {/* A local chain makes a block only for a transaction. */}
        <Show when={!DEV_CHAIN && view.blockAge() > OLD_BLOCK_SECONDS}>{messages.oldBlock(span(view.blockAge()))}</Show>
      </p>
      <Dynamic component={PAGES.find(({ path }) => path === props.path)?.page} />
    </SaleProvider>
  )
}

function Masthead(props: { path: string }) {
  return (
    <header class="masthead">
      <a href={at('/')} class="brand">
        <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
          <path class="mark-coin" d="M8.2 18a9 9 0 1 1 15.6 0Z" />
          <rect class="mark-slot" x="3" y="20" width="26" height="4" rx="2" />
        </svg>
        <span>{messages.brand}</span>
      </a>
      <nav class="nav" aria-label={messages.nav.label}>
        <For each={PAGES}>
          {({ path, name }) => (
            <a href={at(path)} aria-current={props.path === path ? 'page' : undefined}>
              {messages.nav[name]}
            </a>
          )}
        </For>
      </nav>
      <div class="masthead-end">
        <Deferred>
          <LanguageMenu hrefIn={(language) => at(props.path, language)} />
          <ThemeToggle />
        </Deferred>
      </div>
    </header>
  )
}
