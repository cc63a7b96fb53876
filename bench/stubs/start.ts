import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import { countsSchema, type StubCounts, type StubOptions } from './stubs.ts'

const factsSchema = z.object({
  url: z.string(),
  facilitatorUrl: z.string(),
  providerUrl: z.string(),
  storeUrl: z.string(),
  rpcUrl: z.string(),
  databaseHttpUrl: z.string(),
  databaseUrl: z.string(),
})
export type StubFacts = z.infer<typeof factsSchema>

export interface StubProcess extends StubFacts {
  pid: number
  counts(): Promise<StubCounts>
  stop(): Promise<void>
}

/** Starts the stubs in a separate process. Resolves when they answer. */
export async function startStubProcess(
  options: StubOptions & { databaseUrl?: string; pglite?: boolean },
): Promise<StubProcess> {
  const main = join(import.meta.dirname, 'main.ts')
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, COINSLOT_SERVICE: JSON.stringify(options) },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const facts = await readyLine(child)
  return {
    ...facts,
    pid: child.pid ?? 0,
    counts: async () => countsSchema.parse(await (await fetch(`${facts.url}/counts`)).json()),
    stop: async () => {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

async function readyLine(child: ChildProcess): Promise<StubFacts> {
  if (child.stdout === null) throw new Error('no stdout')
  for await (const line of createInterface({ input: child.stdout })) return factsSchema.parse(JSON.parse(line))
  throw new Error('The stubs did not start.')
}
