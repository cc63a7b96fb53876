import type { Hex } from 'viem'
import { isFields, maybeNum, maybeStr } from '../shape.ts'
import { isUnsupported } from './errors.ts'
import type { Provider } from './provider.ts'

/** One call of a batch. */
export interface BatchCall {
  to: Hex
  data: Hex
}

/** Who sends on which chain. */
interface Sender {
  provider: Provider
  address: string
  chainId: number
}

const POLL_MS = 1000
const MOST_FAILURES = 20
/** EIP-5792: below this the batch is not on chain yet. */
const FINAL = 200

type Pause = (ms: number) => Promise<void>
const pause: Pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Whether the wallet does several calls in one transaction (EIP-5792). A wallet that is `ready` would first turn the account into
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

/** Waits until a batch is on chain. Failed reads are tried again. Throws the wallet's error after 20 of them in sequence. */
export async function waitForBatch(provider: Provider, id: string, sleep: Pause = pause): Promise<'done' | 'reverted'> {
  let failures = 0
  for (;;) {
    try {
      const answer = await provider.request({ method: 'wallet_getCallsStatus', params: [id] })
      const status = isFields(answer) ? maybeNum(answer, 'status') : null
      if (isFields(answer) && status !== null && status >= FINAL) return endOf(status, answer['receipts'])
      failures = 0
    } catch (error) {
      failures += 1
      if (failures >= MOST_FAILURES) throw error
    }
    await sleep(POLL_MS)
  }
}

/** A batch is done only if the wallet shows the receipts of it, and each is of a success. */
function endOf(status: number, receipts: unknown): 'done' | 'reverted' {
  const all: unknown[] = Array.isArray(receipts) ? receipts : []
  const isDone = all.length > 0 && all.every((receipt) => isFields(receipt) && maybeStr(receipt, 'status') === '0x1')
  return status === FINAL && isDone ? 'done' : 'reverted'
}
