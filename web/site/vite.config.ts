import { join } from 'node:path'
import { defineConfig } from 'vite'
import solid from 'vite-plugin-solid'
import { byteBudget, noDemoWallet } from '../build/byte-budget.ts'
import { deferScript } from '../build/defer-script.ts'
import { headersFile, rewritesFile } from '../build/headers-file.ts'
import { inlineStyles } from '../build/inline-styles.ts'
import { languagePages } from '../build/language-pages.ts'
import { plainPages } from '../build/plain-page.ts'
import { filesOfImport, retryImports } from '../build/retry-imports.ts'
import { startTexts } from '../build/static-frame.ts'
import { problemPages, trustPages } from '../build/static-pages.ts'

/** The oldest browsers that the site runs in. index.html tests for them. */
const TARGETS = ['chrome123', 'safari17.5', 'firefox128']

/** `Chrome 123, Safari 17.5`. */
const namesOf = (targets: string[]): string =>
  targets
    .map((target) => target.replace(/^([a-z])([a-z]+)/, (_, first, rest) => `${first.toUpperCase()}${rest} `))
    .join(', ')

/**
 * All that the first page needs is one file, and all that a purchase needs: it packs better than several, and lazy parts take from it
 * what they share. `records` is what pages share with a purchase, so that they do not load all of it, and `results` what shows a result.
 */
const GROUPS = [
  { name: 'site', test: /web.site.src.site\.tsx$/, priority: 3 },
  {
    name: 'records',
    test: /web.(site.src.lib.(records.inference|back-button)|shared.(files|copy-button|hash-link|wallet.(networks|chain)))\.tsx?$/,
    priority: 2,
  },
  { name: 'results', test: /web.site.src.components.(result|problem)-view\.tsx$/, priority: 1 },
  { name: 'buying', test: /web.site.src.primitives.make-purchase\.ts$/, priority: 2 },
]

/**
 * Two builds of one site: `vite build web/site` for Pages (`web/dist`), and `--mode stack` for the stack on one machine
 * (`web/dist-local`), which alone may carry the demo wallet.
 */
export default defineConfig(({ mode }) => {
  const isLocal = mode === 'stack'
  const devChain = process.env['NEXT_PUBLIC_ENABLE_DEV_CHAIN']
  if (!isLocal && devChain !== undefined && devChain !== 'false' && devChain !== '') {
    throw new Error('NEXT_PUBLIC_ENABLE_DEV_CHAIN must be false in a production build: use `npm run build -- local`')
  }
  const origin = process.env['PUBLIC_ORIGIN']?.split(',')[0]?.trim() ?? ''
  const projectId = process.env['NEXT_PUBLIC_WALLETCONNECT_PROJECT_ID'] ?? ''
  return {
    root: import.meta.dirname,
    envPrefix: 'NEXT_PUBLIC_',
    define: {
      'import.meta.env.NEXT_PUBLIC_ENABLE_DEV_CHAIN': JSON.stringify(isLocal ? 'true' : 'false'),
      'import.meta.env.NEXT_PUBLIC_WALLETCONNECT_PROJECT_ID': JSON.stringify(projectId),
    },
    plugins: [
      solid(),
      retryImports(),
      {
        name: 'coinslot-values',
        transformIndexHtml: (html) => html.replaceAll('%ORIGIN%', origin),
      },
      inlineStyles(),
      // Every page needs the models with their prices.
      deferScript('/api/models'),
      plainPages(() => [...problemPages(), ...trustPages(process.env['NEXT_PUBLIC_CONTACT'] ?? '')], origin),
      rewritesFile(),
      headersFile({
        isLocal,
        mediaOrigin: process.env['NEXT_PUBLIC_MEDIA_ORIGIN'] ?? '',
        walletConnect: projectId !== '',
      }),
      languagePages({ origin, textsOf: (language) => startTexts(language, namesOf(TARGETS)) }),
      // The demo wallet and its signing code are for the local build; the budgets are those of the shipped one.
      ...(isLocal ? [] : [noDemoWallet(), byteBudget({ firstPage: 30_000, afterPaying: 66_000 })]),
    ],
    build: {
      outDir: join(import.meta.dirname, isLocal ? '../dist-local' : '../dist'),
      emptyOutDir: true,
      target: TARGETS,
      modulePreload: { polyfill: false, resolveDependencies: filesOfImport },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      manifest: true,
      rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } },
    },
  }
})
