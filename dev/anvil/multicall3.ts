import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Address } from 'viem'
import * as z from 'zod'
import type { Rpc } from './rpc.ts'

/** Where Multicall3 stands on every public chain. */
export const MULTICALL3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

const moduleSchema = z.object({ multicall3Bytecode: z.string().startsWith('0x') })

/** Puts Multicall3 at its usual address. viem carries its creation code, though it does not export it. */
export async function installMulticall3(rpc: Rpc): Promise<void> {
  const root = dirname(createRequire(import.meta.url).resolve('viem/package.json'))
  const module: unknown = await import(pathToFileURL(join(root, '_esm/constants/contracts.js')).href)
  const { multicall3Bytecode } = moduleSchema.parse(module)
  // A call without a target runs the creation code and answers with the code that it would leave behind.
  const code = await rpc.call('eth_call', { data: multicall3Bytecode }, 'latest')
  await rpc.call('anvil_setCode', MULTICALL3, code)
}
