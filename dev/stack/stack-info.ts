import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'

const address = z.templateLiteral(['0x', z.string()])

/** The ready line of `npm start -- --json`, member by member in its order. */
export const readyFactsSchema = z.object({
  ready: z.literal(true),
  origin: z.string(),
  rpcUrl: z.string(),
  chainId: z.number(),
  network: z.templateLiteral(['eip155:', z.number()]),
  usdc: address,
  /** Null on a foreign chain whose AIC is not known. */
  aic: address.nullable(),
  contracts: z.record(z.string(), address),
  payTo: address,
  /** Null with `--no-facilitator`. */
  facilitatorUrl: z.string().nullable(),
  databaseUrl: z.string(),
  databaseHttpUrl: z.string(),
  /** Origin of the S3 API, without the bucket. */
  objectStoreUrl: z.string(),
  /** Public base of the objects. */
  publicUrl: z.string(),
  modelProviderUrl: z.string(),
  webhookSecret: z.string(),
  buyers: z.array(z.object({ address, privateKey: address })),
  workerPid: z.number(),
  logDir: z.string(),
})

export type ReadyFacts = z.infer<typeof readyFactsSchema>

/** Where a running stack is found. */
export const STACK_FILE = join(import.meta.dirname, '../../.coinslot/stack.json')

/** One line of JSON, members in the order of the contract. */
export function readyLine(facts: ReadyFacts): string {
  return JSON.stringify(readyFactsSchema.parse(facts))
}

/** Writes the ready line for its owner's eyes only; nobody ever reads half of it. */
export async function writeStackFile(facts: ReadyFacts, file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${readyLine(facts)}\n`, { mode: 0o600 })
  await rename(draft, file)
}

export const removeStackFile = (file: string): Promise<void> => rm(file, { force: true })

async function readStackFile(file: string): Promise<ReadyFacts | null> {
  try {
    return readyFactsSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return null
  }
}

/** The stack that runs beside us, or null: the file may be left from one that was killed. */
export async function findRunningStack(file = STACK_FILE): Promise<ReadyFacts | null> {
  const facts = await readStackFile(file)
  if (!facts) return null
  const response = await fetch(`${facts.origin}/api/auth/session`, { signal: AbortSignal.timeout(5_000) }).catch(
    () => null,
  )
  await response?.body?.cancel()
  return response ? facts : null
}
