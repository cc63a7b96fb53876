import type { Plugin } from 'vite'

/** Fails a build that carries the demo wallet or what signs for it, even where no page would load it. */
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
