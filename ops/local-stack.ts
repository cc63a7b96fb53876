import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { UsageError } from '../client/node/errors.ts'
import { findLocalStack } from '../client/node/local-stack.ts'

const FOLDER = join(import.meta.dirname, '../.coinslot')

export interface LocalEnv {
  origin: string
  env: NodeJS.Dict<string>
}

/**
 * The variables of the local stack's worker, which `npm start` writes beside `stack.json`, and the key of its receiver. Null when
 * no stack runs. Throws `UsageError` when the variables belong to another stack.
 */
export async function findLocalEnv(folder = FOLDER): Promise<LocalEnv | null> {
  const stack = await findLocalStack({ COINSLOT_STACK_FILE: join(folder, 'stack.json') })
  if (stack === null) return null
  const env = parseEnv(await readFile(join(folder, 'worker.env'), 'utf8').catch(() => ''))
  if (env['PUBLIC_ORIGIN']?.split(',')[0] === stack.origin) return { origin: stack.origin, env }
  throw new UsageError(`The variables of the stack at ${stack.origin} are not in .coinslot/worker.env: start it again.`)
}
