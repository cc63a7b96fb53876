/**
 * Replaces `siwe/dist/ethersCompat-*.js` in the bundle (`[alias]` in wrangler.toml): how siwe would use the package `ethers`, with the
 * bytecode of a contract for it, 2 KiB gzip. The worker passes its configuration to each check (`signature.ts`), so siwe
 * never looks for `ethers`.
 */
const MAGIC_SUFFIX = '6492'.repeat(16)

const isEIP6492Signature = (signature: string): boolean => signature.endsWith(MAGIC_SUFFIX)

function createEthersConfig(): never {
  throw new Error('ethers is not supported here')
}

const module = { tryAutoDetectEthers: async (): Promise<null> => null }

export { createEthersConfig as t, isEIP6492Signature as i, MAGIC_SUFFIX as r, module as n }
