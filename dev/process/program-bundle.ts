import { basename, dirname, extname, isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { programBuild } from '../../worker/node/program.ts'
import { assertSource, builtFolder, CONTRACT_SOURCES, ROOT, type Sources } from './built-folder.ts'

const BUILT_BY = ['dev/process/program-bundle.ts', 'worker/node/program.ts']

/** A program that the local stack or its tests start dozens of times, and all that it is built from. */
interface Source extends Sources {
  entry: string
}

const PROGRAMS = {
  /** All services of the local stack: `node PROGRAM database`. */
  services: {
    entry: 'dev/stack/service-main.ts',
    files: BUILT_BY,
    folders: ['dev', 'facilitator', 'worker', 'db', 'protocol', ...CONTRACT_SOURCES],
  },
  facilitator: {
    entry: 'facilitator/main.ts',
    files: BUILT_BY,
    folders: ['facilitator', 'worker', 'db', 'protocol', ...CONTRACT_SOURCES],
  },
  'command-line': { entry: 'client/cli/main.ts', files: BUILT_BY, folders: ['client', 'protocol'] },
} satisfies Record<string, Source>

type ProgramName = keyof typeof PROGRAMS
export const PROGRAM_NAMES: readonly ProgramName[] = ['services', 'facilitator', 'command-line']

/**
 * Builds a program into a few files when its sources have changed, and returns the path of its entry. Node takes half a second to
 * load the hundreds of files that a program is made of.
 */
export async function bundleProgram(name: ProgramName): Promise<string> {
  const source = PROGRAMS[name]
  const folder = await builtFolder(name, source, (out) => bundle(source, out))
  return join(folder, `${basename(source.entry, extname(source.entry))}.mjs`)
}

async function bundle(source: Source, out: string): Promise<void> {
  // Loaded only here: most starts build nothing.
  const { build, mergeConfig } = await import('vite')
  const { entry } = source
  const output = { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' }
  const program = programBuild(ROOT, out, basename(entry, extname(entry)), join(ROOT, entry))
  // No source maps: node would read and parse them at each start, and the code keeps its names without them.
  const shape = { sourcemap: false, rolldownOptions: { output } }
  await build(mergeConfig(program, { plugins: [ownFiles(source)], build: shape }))
}

/** Each module keeps the address of its source file, so that it finds what it reads beside it. */
function ownFiles(source: Source): Plugin {
  return {
    name: 'own-files',
    enforce: 'pre',
    transform(code, id) {
      if (isAbsolute(id)) assertSource(id, source)
      const own = {
        url: pathToFileURL(id).href,
        filename: id,
        dirname: dirname(id),
        main: id === join(ROOT, source.entry),
      }
      const changed = Object.entries(own).reduce(
        (text, [name, value]) =>
          text.replaceAll(new RegExp(`\\bimport\\.meta\\.${name}\\b`, 'g'), () => JSON.stringify(value)),
        code,
      )
      return changed === code ? null : { code: changed, map: null }
    },
  }
}
