import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type * as z from 'zod'
import type { Launch } from './supervisor.ts'

const ROOT = join(import.meta.dirname, '../..')

/** How a part of `dev/` is started: options in the environment, facts as one JSON line on stdout (see `dev/stack/service.ts`). */
export function partLaunch(folder: string, options: Record<string, unknown>): Launch {
  const main = join(ROOT, 'dev', folder, 'main.ts')
  return {
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', main],
    env: { ...process.env, COINSLOT_PART: JSON.stringify(options) },
  }
}

/** Reads a part's ready line; every other line of its stdout goes to the log. */
export function readReadyLine<Facts>(
  child: ChildProcess,
  log: (text: string) => void,
  schema: z.ZodType<Facts>,
): Promise<Facts> {
  return new Promise((resolve, reject) => {
    if (!child.stdout) return reject(new Error('no stdout'))
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('{"ready":true')) return log(`${line}\n`)
      try {
        resolve(schema.parse(JSON.parse(line)))
      } catch (error) {
        reject(error)
      }
    })
  })
}

/** The port in a URL of 127.0.0.1, so that a part that died comes back where it was. */
export const portOf = (url: string): number => Number(new URL(url).port)
