import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
/** The project's own Node, which runs TypeScript as it is. */
const NODE = join(ROOT, 'node_modules/.bin/node')

export interface Snippet {
  /** Where the block stands, e.g. `README.md:98`. */
  place: string
  language: 'sh' | 'js' | 'ts'
  code: string
  /** The block is a file of this name, which a later one runs. */
  file?: string
}

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

const BLOCK = /^(?:<!-- (file|not run): ([^\n]*?) -->\n+)?```(sh|js|ts)\n([\s\S]*?)^```$/gm

/**
 * The code of a document, in order: every block of shell, JavaScript and TypeScript. An HTML comment before a block, which
 * readers do not see, says `<!-- file: NAME -->` for one that a later block runs, or `<!-- not run: WHY -->`.
 */
export async function snippetsOf(document: string): Promise<Snippet[]> {
  const text = await readFile(join(ROOT, document), 'utf8')
  return [...text.matchAll(BLOCK)].flatMap(({ index, 1: mark, 2: word = '', 3: language, 4: code = '' }): Snippet[] => {
    const place = `${document}:${text.slice(0, index).split('\n').length}`
    if (mark === 'not run' || (language !== 'sh' && language !== 'js' && language !== 'ts')) return []
    return [{ place, language, code, ...(mark === 'file' && { file: word }) }]
  })
}

/**
 * Runs a block word for word in `folder`, as a reader who pastes one after the other into the same terminal: what a shell
 * block exports is there for the next, and where it went.
 */
export async function runSnippet(snippet: Snippet, folder: string, env: Record<string, string>): Promise<Ran> {
  const { language, code, file } = snippet
  const exports = join(folder, '.exports')
  const here = await standingIn(exports, folder)
  if (file !== undefined) {
    await writeFile(join(here, file), code)
    return { code: 0, stdout: '', stderr: '' }
  }
  if (language === 'sh') {
    const script = `touch '${exports}'; . '${exports}'\n${code}\nexport -p > '${exports}'\n`
    return run('bash', ['-e', '-o', 'pipefail', '-c', script], here, env)
  }
  const name = `snippet.${language === 'js' ? 'mjs' : 'ts'}`
  await writeFile(join(here, name), code)
  return run(NODE, [name], here, env)
}

/** Where the last shell block left its reader. */
async function standingIn(exports: string, folder: string): Promise<string> {
  const kept = await readFile(exports, 'utf8').catch(() => '')
  return /^declare -x PWD="(.*)"$/m.exec(kept)?.[1] ?? folder
}

/** Runs a program of this project's to its end. */
export function run(command: string, args: readonly string[], cwd: string, env: Record<string, string>): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const path = `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH']}`
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, PATH: path, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk) => (output.stdout += String(chunk)))
    child.stderr.on('data', (chunk) => (output.stderr += String(chunk)))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? -1, ...output }))
  })
}
