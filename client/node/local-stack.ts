import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { parseJson } from '../src/json-fields.ts'

const hex = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]+$/)])

const stackSchema = z.object({
  origin: z.url(),
  chainId: z.int(),
  rpcUrl: z.url(),
  usdc: hex,
  contracts: z.record(z.string(), hex),
  buyers: z.array(z.object({ address: hex, privateKey: hex })),
})
export type LocalStack = z.infer<typeof stackSchema>

/** The file that `npm start` writes while it runs. */
const STACK_FILE = join(import.meta.dirname, '../../.coinslot/stack.json')

/**
 * The local stack of `npm start`, from `.coinslot/stack.json` or the file in `COINSLOT_STACK_FILE`. Null when it does not answer:
 * the file may be left from a killed stack.
 */
export async function findLocalStack(env: NodeJS.ProcessEnv = process.env): Promise<LocalStack | null> {
  const text = await readFile(env['COINSLOT_STACK_FILE'] ?? STACK_FILE, 'utf8').catch(() => '')
  const stack = stackSchema.safeParse(parseJson(text))
  if (!stack.success) return null
  const answer = await fetch(`${stack.data.origin}/api/auth/session`, { signal: AbortSignal.timeout(5_000) }).catch(
    () => null,
  )
  await answer?.body?.cancel()
  return answer?.ok ? stack.data : null
}
