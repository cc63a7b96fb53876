import { createRequire } from 'node:module'

const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }

/** Path of the native anvil; its npm wrapper would be one more process between us and it. */
export function anvilBinary(): string {
  const platform = `${process.platform}-${ARCHITECTURES[process.arch] ?? process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'))
  const extension = process.platform === 'win32' ? '.exe' : ''
  try {
    return require.resolve(`@foundry-rs/anvil-${platform}/bin/anvil${extension}`)
  } catch (cause) {
    throw new Error(`there is no anvil for ${platform}; set DEV_RPC_URL to a dev chain of your own`, { cause })
  }
}
