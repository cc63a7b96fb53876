import { join } from 'node:path'
import { defineConfig } from 'vite'
import solid from 'vite-plugin-solid'
import { scriptLimit } from '../build/byte-budget.ts'
import { deferScript } from '../build/defer-script.ts'
import { headersFile } from '../build/headers-file.ts'
import { inlineStyles } from '../build/inline-styles.ts'
import { languagePages, loadAll } from '../build/language-pages.ts'
import { requiredEnv } from '../build/required-env.ts'
import { filesOfImport, retryImports } from '../build/retry-imports.ts'
import { sharedFiles } from '../build/shared-files.ts'
import { mastheadHtml } from '../build/static-frame.ts'
import { wordsOf } from '../build/words.ts'
import { CHAIN_IDS } from '../shared/chain-reads/client.ts'
import { type Language, pathIn } from '../shared/languages.ts'
import { rpcUrlOf } from '../shared/wallet/rpc-urls.ts'
import { DICTIONARIES, type Dictionary } from './src/messages/active.ts'
import { RULES, VARIABLES } from './variables.ts'

const TARGETS = ['chrome123', 'safari17.5', 'firefox128']
const SCRIPT_BYTES = 45_000
const PAGES = ['/', '/claim', '/token']
/** All that the pages need before a transaction is one file: each further one would be fetched after it. */
const GROUPS = [{ name: 'pages', test: /web.landing.src.app\.tsx$/ }]

/** Where and what a page is. */
interface Page {
  language: Language
  path: string
  base: string
  isLocal: boolean
}

/** What index.html says in a language before its script has run: the same elements in the same places as `app.tsx`. */
function startTexts({ messages }: Dictionary, { language, path, base, isLocal }: Page): Record<string, string> {
  const { hero, claim, token, nav } = messages
  const at = (target: string): string => base.slice(0, -1) + pathIn(language, target)
  const pages: Record<string, readonly [string, string, string]> = {
    '/claim': [nav.claim, claim.title, claim.lead],
    '/token': [nav.token, token.title, token.lead],
  }
  const [name, headline, lead] = pages[path] ?? [nav.sale, hero.title, hero.lead]
  return {
    ...{ '%TITLE%': messages.title(name), '%DESCRIPTION%': `${headline}. ${lead}` },
    ...{ '%HEADLINE%': headline, '%LEAD%': lead, '%NO_SCRIPT%': messages.noScript, '%LOADING%': messages.loading },
    '%NOT_LOADED%': wordsOf(language).staticMessages.notLoaded,
    '<!-- local -->': isLocal ? `<p class="eyebrow">${messages.local}</p>` : '',
    '<!-- masthead -->': mastheadHtml({
      home: at('/'),
      name: messages.brand,
      label: messages.nav.label,
      links: [
        [at('/'), messages.nav.sale],
        [at('/claim'), messages.nav.claim],
        [at('/token'), messages.nav.token],
      ],
    }),
  }
}

/**
 * Two builds: for Pages (`web/landing/dist`), and `--mode stack` for the stack on one machine, which serves it below `/presale/` and
 * says at run time where the contracts are.
 */
export default defineConfig(async ({ mode }) => {
  const isLocal = mode === 'stack'
  const { env } = process
  const rpcUrl = rpcUrlOf(CHAIN_IDS[env[VARIABLES.network] ?? ''] ?? 1, env)
  const base = isLocal ? '/presale/' : '/'
  const dictionaryOf = await loadAll(DICTIONARIES)
  return {
    root: import.meta.dirname,
    base,
    envPrefix: 'NEXT_PUBLIC_',
    define: {
      'import.meta.env.NEXT_PUBLIC_ENABLE_DEV_CHAIN': JSON.stringify(isLocal ? 'true' : 'false'),
      'import.meta.env.NEXT_PUBLIC_WALLETCONNECT_PROJECT_ID': JSON.stringify(''),
    },
    plugins: [
      solid(),
      retryImports(),
      sharedFiles(),
      inlineStyles(base),
      deferScript(),
      headersFile({
        isLocal,
        mediaOrigin: "'none'",
        walletConnect: false,
        connect: rpcUrl === null ? [] : [new URL(rpcUrl).origin],
      }),
      languagePages({
        ...{ origin: '', base, paths: PAGES },
        textsOf: (language, path) => startTexts(dictionaryOf(language.tag), { language, path, base, isLocal }),
      }),
      ...(isLocal ? [] : [requiredEnv(RULES), scriptLimit(SCRIPT_BYTES)]),
    ],
    build: {
      outDir: join(import.meta.dirname, 'dist'),
      emptyOutDir: true,
      target: TARGETS,
      modulePreload: { polyfill: false, resolveDependencies: filesOfImport },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } },
    },
  }
})
