import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { COMPUTING, run } from './run.ts'

/** Files that a command makes from sources. They are committed, so they must not differ when they are made again. */
interface Generated {
  command: readonly string[]
  /** Files or folders that the command writes. */
  paths: readonly string[]
}

/** The one list of generated files. Each command runs every time; only forge reuses what it compiled from the same sources. */
const GENERATED: readonly Generated[] = [
  { command: ['node', 'contracts/script/build-abi.ts', '--check'], paths: ['contracts/abi'] },
  { command: ['node', 'db/generate-migration.ts'], paths: ['db/migrations'] },
  { command: ['node', 'web/scripts/generate.ts', 'openapi'], paths: ['docs/openapi.json'] },
  { command: ['node', 'web/scripts/generate.ts', 'problems', '--check'], paths: ['web/site/src/generated'] },
  { command: ['node', 'web/scripts/generate.ts', 'models', '--check'], paths: ['web/site/src/generated'] },
]

/** Makes every generated file again, all at the same time. Returns a complaint for each command that fails or changes a file. */
export async function checkGenerated(root: string): Promise<string[]> {
  const complaints = await Promise.all(
    GENERATED.map(async ({ command, paths }) => {
      const before = await fingerprint(root, paths)
      const { code, output } = await run(command, root, { nice: COMPUTING })
      const changed = changedPaths(before, await fingerprint(root, paths))
      if (code === 0 && changed.length === 0) return null
      const note = changed.length > 0 ? `\nNot up to date: ${changed.join(', ')}. They are now; commit them.` : ''
      return `${command.join(' ')}\n${output}${note}`
    }),
  )
  return complaints.filter((complaint) => complaint !== null)
}

/** Content hashes of all files under `paths`, by path. */
async function fingerprint(root: string, paths: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const path of paths) {
    const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true }).catch(() => null)
    const files = entries?.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    for (const file of (files ?? [join(root, path)]).sort()) {
      const content = await readFile(file).catch(() => null)
      if (content) found.set(file.slice(root.length + 1), createHash('sha256').update(content).digest('hex'))
    }
  }
  return found
}

/** Paths whose content differs between two fingerprints. */
export function changedPaths(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path))
}
