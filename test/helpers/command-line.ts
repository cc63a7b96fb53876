import { type ChildProcess, execFile } from 'node:child_process'
import { join } from 'node:path'
import { bundleProgram } from '../../dev/process/program-bundle.ts'

/** The program behind `npx --no coinslot`. It imports the command line from its sources. */
export const COMMAND = join(import.meta.dirname, '../../client/cli/coinslot.mjs')

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** Runs `coinslot` as a person would, with `input` on its stdin, which then ends. */
export async function runCommand(args: readonly string[], env: NodeJS.Dict<string>, input = ''): Promise<Ended> {
  const program = await bundleProgram('command-line')
  return new Promise((resolve) => {
    start([program, ...args], env, resolve).stdin?.end(input)
  })
}

/** Runs `coinslot` and presses Ctrl-C once it has said `words` on stderr. */
export async function stopCommand(args: readonly string[], env: NodeJS.Dict<string>, words: string): Promise<Ended> {
  const program = await bundleProgram('command-line')
  return new Promise((resolve) => {
    const child = start([program, ...args], env, resolve)
    let printed = ''
    child.stderr?.on('data', (piece) => {
      const before = printed.includes(words)
      printed += String(piece)
      if (!before && printed.includes(words)) child.kill('SIGINT')
    })
  })
}

function start(args: readonly string[], env: NodeJS.Dict<string>, onEnd: (ended: Ended) => void): ChildProcess {
  const { NODE_COMPILE_CACHE } = process.env
  return execFile(process.execPath, args, { env: { NODE_COMPILE_CACHE, ...env } }, (error, stdout, stderr) => {
    onEnd({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr })
  })
}
