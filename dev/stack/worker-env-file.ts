import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'

/** The variables of the local stack's worker, for `npm run doctor` beside it. Its secrets are the stack's own, drawn for it. */
const WORKER_ENV_FILE = join(import.meta.dirname, '../../.coinslot/worker.env')

/** Writes the file for its owner's eyes only. */
export async function writeWorkerEnv(env: Record<string, string>, file: string): Promise<void> {
  const lines = Object.entries(env).map(([name, value]) => `${name}='${value}'`)
  await mkdir(dirname(file), { recursive: true })
  await rm(file, { force: true })
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 })
}

/** The variables of the running stack's worker. Throws when there is no file. */
export async function readWorkerEnv(file = WORKER_ENV_FILE): Promise<NodeJS.Dict<string>> {
  return parseEnv(await readFile(file, 'utf8'))
}

export const removeWorkerEnv = (file: string): Promise<void> => rm(file, { force: true })
