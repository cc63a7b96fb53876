import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** npm reads it in place of `package-lock.json`. It exists only while npm installs. */
const FILE = 'npm-shrinkwrap.json'

/**
 * Writes the lock file with the address of each package in npm's usual form. The lock itself names no registry, and npm would ask for a
 * list of all versions of each package first, which takes more time than the packages. `npmConfig` is npm's own, as JSON.
 */
export function addAddresses(root, npmConfig) {
  try {
    const config = JSON.parse(npmConfig)
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    for (const [path, entry] of Object.entries(lock.packages)) {
      const name = entry.name ?? path.split('node_modules/').at(-1)
      const [scope, base = scope] = name.split('/')
      const registry = (config[`${scope}:registry`] ?? config.registry).replace(/\/$/, '')
      // The others come from a folder of this repository or inside another package.
      if (entry.integrity && !entry.resolved) entry.resolved = `${registry}/${name}/-/${base}-${entry.version}.tgz`
    }
    writeFileSync(join(root, FILE), JSON.stringify(lock))
  } catch {
    // npm finds the addresses itself.
  }
}

/** True if there was a lock file with addresses. */
export function removeAddresses(root) {
  const isThere = existsSync(join(root, FILE))
  rmSync(join(root, FILE), { force: true })
  return isThere
}
