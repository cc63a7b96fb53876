import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import solid from 'vite-plugin-solid'
import { scriptLimit } from '../build/byte-budget.ts'
import { headersFile } from '../build/headers-file.ts'
import { inlineStyles } from '../build/inline-styles.ts'
import { requiredEnv } from '../build/required-env.ts'
import { sharedFiles } from '../build/shared-files.ts'
import { CHAIN_IDS } from '../chain-reads/client.ts'
import { rpcUrlOf } from '../src/lib/wallet/rpc-urls.ts'
import { RULES, VARIABLES } from './variables.ts'

const TARGETS = ['chrome123', 'safari17.5', 'firefox128']
const SCRIPT_BYTES = 45_000
const PAGES = ['claim', 'token']

/** Each page is a file, so that links work without script and each address answers 200. */
function pages(): Plugin {
  return {
    name: 'coinslot-sale-pages',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') throw new Error('index.html is not in the bundle')
      for (const name of PAGES) this.emitFile({ type: 'asset', fileName: `${name}.html`, source: page.source })
    },
  }
}

/**
 * Two builds: for Pages (`web/landing/dist`), and `--mode stack` for the stack on one machine, which serves it below `/presale/` and
 * says at run time where the contracts are.
 */
export default defineConfig(({ mode }) => {
  const isLocal = mode === 'stack'
  const { env } = process
  const rpcUrl = rpcUrlOf(CHAIN_IDS[env[VARIABLES.network] ?? ''] ?? 1, env)
  return {
    root: import.meta.dirname,
    base: isLocal ? '/presale/' : '/',
    envPrefix: 'NEXT_PUBLIC_',
    define: {
      'import.meta.env.NEXT_PUBLIC_ENABLE_DEV_CHAIN': JSON.stringify(isLocal ? 'true' : 'false'),
      'import.meta.env.NEXT_PUBLIC_WALLETCONNECT_PROJECT_ID': JSON.stringify(''),
    },
    plugins: [
      solid(),
      sharedFiles(),
      ...(isLocal ? [] : [inlineStyles()]),
      headersFile({
        isLocal,
        mediaOrigin: "'none'",
        walletConnect: false,
        connect: rpcUrl === null ? [] : [new URL(rpcUrl).origin],
      }),
      pages(),
      ...(isLocal ? [] : [requiredEnv(RULES), scriptLimit(SCRIPT_BYTES)]),
    ],
    build: {
      outDir: join(import.meta.dirname, 'dist'),
      emptyOutDir: true,
      target: TARGETS,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
  }
})
