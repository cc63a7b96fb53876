import { type Client, type Hex, isAddressEqual } from 'viem'
import { getCode, readContract } from 'viem/actions'
import { paymentBatchAbi } from '../../contracts/abi/payment-batch.ts'
import { paymentBatchRuntime } from '../../contracts/abi/runtime/payment-batch.ts'
import { isCodeOf } from '../../contracts/checks/runtime.ts'
import { type Log, reasonOf } from '../log.ts'

export interface BatchContractSettings {
  /** The batch contract of this network. Without it each payment has its own transaction. */
  batch?: Hex | undefined
  /** Whom it must pay. */
  payTo: Hex
  /** Tokens that it must take. */
  assets: readonly Hex[]
}

export interface BatchContractOptions extends BatchContractSettings {
  client: Client
  network: string
  now(): Date
  log: Log
}

export interface BatchContract {
  /** Its address; null where it is not set, not there, not ours, or not known yet: then payments are sent one by one. */
  address(): Promise<Hex | null>
  /** Checks address and code. Throws `WrongBatchContract`; a node that does not answer is only logged. */
  check(): Promise<void>
}

/** The address has code that is not this build's contract, or was made for another payee or other tokens. */
export class WrongBatchContract extends Error {
  constructor(network: string, what: string) {
    super(`the batch contract of ${network} ${what}; deploy one with \`npm run contracts -- batch\``)
    this.name = 'WrongBatchContract'
  }
}

/** How long a contract that is not there, or not ours, is not looked at again. */
const AGAIN_MS = 60_000

/** The batch contract of one network. What is good stays good: nothing in it can change. */
export function makeBatchContract(options: BatchContractOptions): BatchContract {
  const { batch, network, now, log } = options
  let isGood = false
  let looking: Promise<boolean> | null = null
  let notBefore = 0

  async function look(): Promise<boolean> {
    if (batch === undefined) return false
    isGood = await isThere(options, batch)
    if (!isGood) log('warn', 'batch.missing', { network, address: batch, detail: 'payments are sent one by one' })
    return isGood
  }

  async function lookOnce(): Promise<boolean> {
    looking ??= look().finally(() => {
      looking = null
      notBefore = now().getTime() + AGAIN_MS
    })
    return looking
  }

  const failed = (error: unknown): false => {
    log('error', 'batch.failed', { network, reason: reasonOf(error) })
    return false
  }

  return {
    async address() {
      if (batch === undefined || isGood) return batch ?? null
      if (looking === null && now().getTime() < notBefore) return null
      return (await lookOnce().catch(failed)) ? batch : null
    },
    async check() {
      await lookOnce().catch((error: unknown) => {
        if (error instanceof WrongBatchContract) throw error
        return failed(error)
      })
    },
  }
}

/** True if there is code. Throws `WrongBatchContract` when it is not the contract that was asked for. */
async function isThere({ client, network, payTo, assets }: BatchContractOptions, address: Hex): Promise<boolean> {
  const code = (await getCode(client, { address })) ?? '0x'
  if (code === '0x') return false
  if (!isCodeOf(paymentBatchRuntime, code)) throw new WrongBatchContract(network, 'has other code')
  const contract = { address, abi: paymentBatchAbi } as const
  const [payee, tokens] = await Promise.all([
    readContract(client, { ...contract, functionName: 'payee' }),
    readContract(client, { ...contract, functionName: 'tokens' }),
  ])
  if (!isAddressEqual(payee, payTo)) throw new WrongBatchContract(network, 'pays another payee')
  const isTaken = (asset: Hex): boolean => tokens.some((token) => isAddressEqual(token, asset))
  if (!assets.every(isTaken)) throw new WrongBatchContract(network, 'does not take every token')
  return true
}
