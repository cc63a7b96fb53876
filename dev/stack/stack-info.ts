import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'

const address = z.templateLiteral(['0x', z.string()])

/** The ready line of `npm start -- --json`, member by member in its order. */
export const stackInfoSchema = z.object({
  ready: z.literal(true),
  origin: z.string(),
  rpcUrl: z.string(),
  chainId: z.number(),
  network: z.templateLiteral(['eip155:', z.number()]),
  usdc: address,
  /** Null on a chain that the stack did not set up. */
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

export type StackInfo = z.infer<typeof stackInfoSchema>

/** The file that contains the ready line of the running stack. */
export const STACK_FILE = join(import.meta.dirname, '../../.coinslot/stack.json')

/** One line of JSON, members in the order of the contract. */
export function readyLine(info: StackInfo): string {
  return JSON.stringify(stackInfoSchema.parse(info))
}

/** Writes the ready line to a file that only its owner can read. The rename makes the change atomic. */
export async function writeStackInfo(info: StackInfo, file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${readyLine(info)}\n`, { mode: 0o600 })
  await rename(draft, file)
}

async function readStackFile(file: string): Promise<StackInfo | null> {
  try {
    return stackInfoSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return null
  }
}

/** The running stack, or null. The file may remain from a stack that was killed, so its address is tried. */
export async function findRunningStack(file = STACK_FILE): Promise<StackInfo | null> {
  const info = await readStackFile(file)
  if (!info) return null
  const response = await fetch(`${info.origin}/api/auth/session`, { signal: AbortSignal.timeout(5_000) }).catch(
    () => null,
  )
  await response?.body?.cancel()
  return response ? info : null
}
