import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const CONTRACTS = join(import.meta.dirname, '..')
const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }

/** Path of the native forge. */
export function forgeBinary(): string {
  const platform = `${process.platform}-${ARCHITECTURES[process.arch] ?? process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/forge/package.json'))
  const extension = process.platform === 'win32' ? '.exe' : ''
  return require.resolve(`@foundry-rs/forge-${platform}/bin/forge${extension}`)
}

/**
 * Runs forge on the contracts and returns its exit code. Do not use the `forge` command of the npm package: it always exits with 0,
 * so failed tests would pass.
 */
export function runForge(...args: string[]): number {
  const { status, error } = spawnSync(forgeBinary(), args, { cwd: CONTRACTS, stdio: 'inherit' })
  if (error) throw error
  return status ?? 1
}

if (import.meta.main) process.exitCode = runForge(...process.argv.slice(2))
