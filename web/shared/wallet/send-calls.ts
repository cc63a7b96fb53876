import type { Hex } from 'viem'
import { isFields, maybeNum, maybeStr } from '../shape.ts'
import { balanceOfCall } from './balance.ts'
import { callContract } from './chain.ts'
import { isUnsupported } from './errors.ts'
import type { Provider } from './provider.ts'

export interface BatchCall {
  to: Hex
  data: Hex
}

/** Who sends on which chain. */
interface Sender {
  provider: Provider
  address: Hex
  chainId: number
}

const POLL_MS = 1000
const MOST_FAILURES = 20
/** EIP-5792: below this the batch is not on chain yet. */
const FINAL = 200

type Pause = (ms: number) => Promise<void>
const pause: Pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * True if the wallet does several calls in one transaction (EIP-5792). A wallet that is `ready` would first turn the account into
 * another kind, so it counts as no.
 */
export async function sendsBatches({ provider, address, chainId }: Sender): Promise<boolean> {
  const chain = `0x${chainId.toString(16)}`
  const all = await provider.request({ method: 'wallet_getCapabilities', params: [address, [chain]] }).catch(() => null)
  const own = isFields(all) ? all[chain] : null
  const atomic = isFields(own) ? own['atomic'] : null
  return isFields(atomic) && atomic['status'] === 'supported'
}

/** Asks for one confirmation of all calls. Returns the id of the batch, or null if the wallet cannot. Throws its other errors. */
export async function sendBatch(sender: Sender, calls: readonly BatchCall[]): Promise<string | null> {
  const { provider, address: from, chainId } = sender
  const batch = { version: '2.0.0', from, chainId: `0x${chainId.toString(16)}`, atomicRequired: true, calls }
  try {
    const answer = await provider.request({ method: 'wallet_sendCalls', params: [batch] })
    const id = isFields(answer) ? maybeStr(answer, 'id') : answer
    if (typeof id !== 'string') throw new Error('the wallet named no batch')
    return id
  } catch (error) {
    if (isUnsupported(error)) return null
    throw error
  }
}

/** Reads the owner's balance of a token. Returns a check of whether at least `amount` of it has left since. Throws without a node. */
export async function makeSpentCheck(
  { provider, address }: Sender,
  token: Hex,
  amount: bigint,
): Promise<() => Promise<boolean>> {
  const data = balanceOfCall(address)
  const read = async (): Promise<bigint> => BigInt(await callContract(provider, { to: token, data }))
  const before = await read()
  return async () => before - (await read()) >= amount
}

/** `unseen`: the wallet says that it is done, and shows no receipt; the chain does not show it either. */
export type BatchEnd = 'done' | 'reverted' | 'unseen'

/**
 * Waits until a batch is on chain. A wallet that says so without receipts is believed once `isOnChain` finds the effect. Failed reads
 * are tried again. Throws the wallet's error after 20 of them in sequence.
 */
export async function waitForBatch(
  provider: Provider,
  id: string,
  isOnChain: () => Promise<boolean>,
  sleep: Pause = pause,
): Promise<BatchEnd> {
  let failures = 0
  for (;;) {
    try {
      const answer = await provider.request({ method: 'wallet_getCallsStatus', params: [id] })
      const status = isFields(answer) ? maybeNum(answer, 'status') : null
      if (isFields(answer) && status !== null && status >= FINAL) {
        return endOf(status, answer['receipts']) ?? (await waitForEffect(isOnChain, sleep))
      }
      failures = 0
    } catch (error) {
      failures += 1
      if (failures >= MOST_FAILURES) throw error
    }
    await sleep(POLL_MS)
  }
}

/** How a batch ended, by its status and receipts. Null if the wallet says success and shows no receipt that says so. */
function endOf(status: number, receipts: unknown): 'done' | 'reverted' | null {
  const all: unknown[] = Array.isArray(receipts) ? receipts : []
  const codes = all.map((receipt) => (isFields(receipt) ? maybeStr(receipt, 'status') : null))
  if (status !== FINAL || codes.includes('0x0')) return 'reverted'
  return codes.length > 0 && codes.every((code) => code === '0x1') ? 'done' : null
}

/** The node may be some blocks behind the wallet. */
async function waitForEffect(isOnChain: () => Promise<boolean>, sleep: Pause): Promise<'done' | 'unseen'> {
  for (let looks = 0; looks < MOST_FAILURES; looks += 1) {
    if (looks > 0) await sleep(POLL_MS)
    if (await isOnChain().catch(() => false)) return 'done'
  }
  return 'unseen'
}
