import { type ChildProcess, execFile } from 'node:child_process'
import { join } from 'node:path'

/** The program behind `npx --no coinslot`. */
export const COMMAND = join(import.meta.dirname, '../../client/cli/coinslot.mjs')

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** Runs `coinslot` as a person would, with `input` on its stdin, which then ends. */
export function runCommand(args: readonly string[], env: NodeJS.Dict<string>, input = ''): Promise<Ended> {
  return new Promise((resolve) => {
    const child: ChildProcess = execFile(process.execPath, [COMMAND, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr })
    })
    child.stdin?.end(input)
  })
}
