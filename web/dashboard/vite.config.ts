import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import solid from 'vite-plugin-solid'
import { launchPlanSchema } from '../../contracts/checks/launch-plan.ts'
import { SOURCIFY } from '../../contracts/checks/sourcify.ts'
import { scriptLimit } from '../build/byte-budget.ts'
import { headersFile } from '../build/headers-file.ts'
import { languagePages } from '../build/language-pages.ts'
import { addressRule, oneOf, requiredEnv } from '../build/required-env.ts'
import { sharedFiles } from '../build/shared-files.ts'
import { CHAIN_IDS } from '../shared/chain-reads/client.ts'
import { LANGUAGES } from '../shared/languages.ts'
import { rpcUrlOf } from '../shared/wallet/rpc-urls.ts'
import { messages } from './src/messages.ts'
import { ADDRESS_VARIABLES, OPTIONAL_VARIABLES } from './variables.ts'

const TARGETS = ['chrome123', 'safari17.5', 'firefox128']
const SCRIPT_BYTES = 90_000

const NETWORK = { NEXT_PUBLIC_NETWORK_NAME: oneOf(...Object.keys(CHAIN_IDS)) }

const all = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, addressRule]))

const REQUIRED = all(Object.values(ADDRESS_VARIABLES))
const OPTIONAL = { ...NETWORK, ...all(Object.values(OPTIONAL_VARIABLES)) }

/** The text of the network's launch plan; null when there is no such file. Throws when it is malformed. */
function launchPlan(network: string): string | null {
  const file = join(import.meta.dirname, '../../contracts/launch', `${network}.json`)
  if (!existsSync(file)) return null
  const text = readFileSync(file, 'utf8')
  launchPlanSchema.parse(JSON.parse(text))
  return text
}

/** Leaves out of the contracts' interfaces what a page that only reads does not use: calls that write, constructors, Solidity's types. */
const readOnlyAbi: Plugin = {
  name: 'coinslot-read-only-abi',
  enforce: 'pre',
  transform: {
    filter: { id: /\/contracts\/abi\/[a-z-]+\.ts$/ },
    handler: (code) =>
      code
        .split('\n')
        .filter((line) => !/"type":"constructor"|"stateMutability":"(?:nonpayable|payable)"/.test(line))
        .join('\n')
        .replaceAll(/"internalType":"[^"]*",?/g, ''),
  },
}

/** What index.html says before its script has run. */
const START_TEXTS = {
  ...{ '%TITLE%': messages.title(messages.nav.sale), '%HEADLINE%': messages.name },
  ...{ '%LEAD%': messages.lead, '%NO_SCRIPT%': messages.noScript },
}
/** The operator's page is in English only. */
const ENGLISH = LANGUAGES.filter(({ tag }) => tag === 'en')

/**
 * Two builds: for Pages (`web/dashboard/dist`), and `--mode stack` for the stack on one machine, which serves it below `/dashboard/`
 * and says at run time where the contracts are.
 */
export default defineConfig(({ mode }) => {
  const isLocal = mode === 'stack'
  const env = process.env
  const network = env['NEXT_PUBLIC_NETWORK_NAME'] || 'ethereum'
  const rpcUrl = rpcUrlOf(CHAIN_IDS[network] ?? 1, env) ?? ''
  const connect = [rpcUrl, SOURCIFY].map((url) => new URL(url).origin)
  const base = isLocal ? '/dashboard/' : '/'
  return {
    root: import.meta.dirname,
    base,
    envPrefix: 'NEXT_PUBLIC_',
    define: {
      'import.meta.env.NEXT_PUBLIC_ENABLE_DEV_CHAIN': JSON.stringify(isLocal ? 'true' : 'false'),
      'import.meta.env.NEXT_PUBLIC_WALLETCONNECT_PROJECT_ID': JSON.stringify(''),
      __LAUNCH_PLAN__: JSON.stringify(isLocal ? null : launchPlan(network)),
    },
    plugins: [
      solid(),
      readOnlyAbi,
      sharedFiles(),
      headersFile({ isLocal, mediaOrigin: "'self'", walletConnect: false, connect }),
      languagePages({ origin: '', base, languages: ENGLISH, textsOf: () => START_TEXTS }),
      ...(isLocal ? [] : [requiredEnv(REQUIRED, OPTIONAL), scriptLimit(SCRIPT_BYTES)]),
    ],
    build: {
      outDir: join(import.meta.dirname, isLocal ? 'dist-local' : 'dist'),
      emptyOutDir: true,
      target: TARGETS,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
  }
})
