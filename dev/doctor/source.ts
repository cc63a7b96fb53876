import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { findRunningStack } from '../stack/facts.ts'
import { readWorkerEnv } from '../stack/worker-env-file.ts'

/** Variables to examine, and where they come from, in words. */
export interface Source {
  name: string
  env: NodeJS.Dict<string>
}

/**
 * The file that was named; else the environment, when asked to; else the local stack that runs; else `.dev.vars`; else the
 * environment. Throws when a named file cannot be read.
 */
export async function findSource(options: { envFile?: string; environment?: boolean }): Promise<Source> {
  if (options.envFile !== undefined) {
    return { name: options.envFile, env: parseEnv(await readFile(options.envFile, 'utf8')) }
  }
  const environment = { name: 'the environment of this shell', env: process.env }
  if (options.environment) return environment
  const stack = await findRunningStack()
  if (stack !== null) return { name: `the local stack at ${stack.origin}`, env: await envOfStack(stack.origin) }
  const text = await readFile(join(import.meta.dirname, '../../.dev.vars'), 'utf8').catch(() => null)
  return text === null ? environment : { name: '.dev.vars', env: parseEnv(text) }
}

/** Two stacks share one folder: the later one's variables stand in it. */
async function envOfStack(origin: string): Promise<Source['env']> {
  const env: Source['env'] = await readWorkerEnv().catch(() => ({}))
  if (env['PUBLIC_ORIGIN']?.split(',')[0] === origin) return env
  throw new Error(`The variables of the stack at ${origin} are not in .coinslot/worker.env: start it again.`)
}
