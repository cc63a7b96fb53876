import { gzipSync } from 'node:zlib'
import type { Plugin, Rollup } from 'vite'
import { LANGUAGES } from '../shared/languages.ts'

interface Budget {
  /** Bytes of gzipped script before a wallet is touched. */
  firstPage: number
  /** Bytes in all after connecting, signing in and paying in the studio. */
  afterPaying: number
}

/** The files that a purchase in the studio loads beyond the first page. */
const PAYING = ['make-purchase', 'payment-dialog', 'sign-in', 'result-panel-content']

/** Prints how much script a visitor loads in the language with the longest texts, and fails the build if it is over the budget. */
export function byteBudget(budget: Budget): Plugin {
  return {
    name: 'coinslot-byte-budget',
    apply: 'build',
    enforce: 'post',
    // Vite writes its lists of files into the code at the end.
    writeBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
      const entries = chunks.filter((chunk) => chunk.isEntry)
      const paying = PAYING.map((name) => {
        const found = chunks.find((chunk) => chunk.isDynamicEntry && chunk.name === name)
        if (found === undefined) throw new Error(`byte budget: there is no chunk ${name}`)
        return found
      })
      // A page loads the texts of one language. The language with the most bytes counts.
      const textsOf = (tag: string, parts: string[]): Rollup.OutputChunk[] =>
        chunks.filter(({ facadeModuleId }) =>
          parts.some((part) => facadeModuleId?.endsWith(`/messages/${tag}${part}.ts`)),
        )
      const heaviest = (roots: Rollup.OutputChunk[], parts: string[]): number =>
        Math.max(...LANGUAGES.map(({ tag }) => weigh(withImports([...roots, ...textsOf(tag, parts)], bundle))))
      const firstPage = heaviest(entries, [''])
      const afterPaying = heaviest([...entries, ...paying], ['', '-purchase', '-service'])
      console.log(
        `script, gzip: first page ${firstPage} of ${budget.firstPage} bytes, after paying ${afterPaying} of ${budget.afterPaying}`,
      )
      if (firstPage > budget.firstPage || afterPaying > budget.afterPaying)
        throw new Error('the script is over its byte budget')
    },
  }
}

/** Prints how much script a small site loads in all in the language with the longest texts, and fails the build if it is over the limit. */
export function scriptLimit(bytes: number): Plugin {
  return {
    name: 'coinslot-script-limit',
    apply: 'build',
    enforce: 'post',
    writeBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
      const isOf = (tag: string, { facadeModuleId }: Rollup.OutputChunk): boolean =>
        facadeModuleId?.endsWith(`/messages/${tag}.ts`) === true
      const code = chunks.filter((chunk) => !LANGUAGES.some(({ tag }) => isOf(tag, chunk)))
      const texts = LANGUAGES.map(({ tag }) => weigh(new Set(chunks.filter((chunk) => isOf(tag, chunk)))))
      const script = weigh(new Set(code)) + Math.max(...texts)
      console.log(`script, gzip: ${script} of ${bytes} bytes`)
      if (script > bytes) throw new Error('the script is over its byte budget')
    },
  }
}

function withImports(roots: Rollup.OutputChunk[], bundle: Rollup.OutputBundle): Set<Rollup.OutputChunk> {
  const all = new Set(roots)
  for (const chunk of all) {
    for (const name of chunk.imports) {
      const next = bundle[name]
      if (next?.type === 'chunk') all.add(next)
    }
  }
  return all
}

function weigh(chunks: Set<Rollup.OutputChunk>): number {
  return [...chunks].reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0)
}

/** Fails a production build that contains the demo wallet or its signing code. */
export function noDemoWallet(): Plugin {
  return {
    name: 'coinslot-no-demo-wallet',
    apply: 'build',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
      const found = modules.find((id) => /lib.wallet.demo(-option)?\.ts$/.test(id))
      if (found !== undefined) throw new Error(`the demo wallet is in a production build: ${found}`)
    },
  }
}
