import type { Plugin } from 'vite'

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
