import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes the variables of the local stack's worker, for the operator's commands. Only the file's owner can read it. */
export async function writeWorkerEnv(env: Record<string, string>, file: string): Promise<void> {
  const lines = Object.entries(env).map(([name, value]) => `${name}='${value}'`)
  await mkdir(dirname(file), { recursive: true })
  await rm(file, { force: true })
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 })
}

export const removeWorkerEnv = (file: string): Promise<void> => rm(file, { force: true })
