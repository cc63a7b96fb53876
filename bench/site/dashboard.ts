import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ADDRESS_VARIABLES } from '../../web/dashboard/variables.ts'
import { runVite } from './stages.ts'

/** Any address: the size of the script does not depend on it. */
const ADDRESS = '0x1005Dc00000000000000000000000000000005dC'

/** Builds the dashboard as it is shipped. Returns the bytes of all of its gzipped script. */
export async function dashboardBytes(outDir: string): Promise<number> {
  const addresses = Object.fromEntries(Object.values(ADDRESS_VARIABLES).map((name) => [name, ADDRESS]))
  await runVite('web/dashboard', outDir, addresses)
  const files = (await readdir(join(outDir, 'assets'))).filter((name) => name.endsWith('.js'))
  const sizes = files.map(async (name) => gzipSync(await readFile(join(outDir, 'assets', name)), { level: 9 }).length)
  return (await Promise.all(sizes)).reduce((a, b) => a + b, 0)
}
