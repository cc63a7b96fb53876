import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type StackInfo, stackInfoSchema } from '../../dev/stack/stack-info.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A copy of this checkout in a temporary folder, so that a test may edit its files. It shares `node_modules`. */
export function copyCheckout() {
  const folder = mkdtempSync(join(tmpdir(), 'coinslot-checkout-'))
  const names = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  for (const name of names.toString().split('\0').filter(Boolean)) {
    cpSync(join(ROOT, name), join(folder, name), { force: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const edit = (name: string, from: string, to: string): void => {
    const file = join(folder, name)
    const text = readFileSync(file, 'utf8')
    if (!text.includes(from)) throw new Error(`${name} does not contain ${from}`)
    writeFileSync(file, text.replaceAll(from, to))
  }
  return { folder, edit, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }) }
}

export interface StartedProgram {
  info: StackInfo
  /** Everything it printed for people. */
  output(): string
  stop(): Promise<void>
}

/** Starts the local stack of a checkout as its own process. Resolves with the ready line. */
export function startStackProgram(folder: string, flags: readonly string[]): Promise<StartedProgram> {
  const args = [join(folder, 'dev/stack/main.ts'), '--json', ...flags]
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  child.stderr.on('data', (chunk) => {
    printed += String(chunk)
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
  }
  return new Promise((resolve, reject) => {
    ended.then(() => reject(new Error(`the stack ended:\n${printed}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('{')) resolve({ info: stackInfoSchema.parse(JSON.parse(line)), output: () => printed, stop })
    })
  })
}
