import {
  BaseError,
  type Client,
  ExecutionRevertedError,
  type Hex,
  RpcRequestError,
  TransactionReceiptNotFoundError,
} from 'viem'
import { getTransactionReceipt } from 'viem/actions'
import { reasonOf } from '../log.ts'

/** The entry may or may not be stored, so the transaction may yet be sent. The outcome is unknown, not a refusal. */
export class SendUnclear extends Error {
  constructor(cause: unknown) {
    super('the transaction may or may not have been stored', { cause })
    this.name = 'SendUnclear'
  }
}

/** The payment would fail beside others, or did. Nothing says why: check it alone. */
export class WouldFail extends Error {
  constructor() {
    super('the transfer would fail')
    this.name = 'WouldFail'
  }
}

/** Another call stored this authorization first. */
export class AlreadyStored extends Error {
  constructor() {
    super('this authorization is in a transaction already')
    this.name = 'AlreadyStored'
  }
}

/** This key cannot pay for the gas. Another one may. */
export class KeyOut extends Error {
  constructor(address: string) {
    super(`the key ${address} cannot pay for the gas`)
    this.name = 'KeyOut'
  }
}

/** Words of nodes (geth, reth, erigon, nethermind, besu, anvil) for an account without enough ether. */
const NO_FUNDS = [/insufficient ?funds/i, /upfront cost exceeds account balance/i, /exceeds the configured cap/i]
/**
 * Their words for a transaction that they checked and did not take. Every other error says nothing: nodes and gateways answer
 * -32603, -32000 "request timed out" or -32005 for transactions that they took.
 */
const REFUSALS = [
  ...NO_FUNDS,
  /intrinsic gas (is )?(too low|exceeds gas limit)/i,
  /max priority fee per gas (is )?higher than max fee per gas/i,
  /exceeds block gas limit|gas limit (is )?too high/i,
  /oversized data|transaction (is )?too large/i,
  /invalid sender|invalid signature|invalid transaction v, r, s|only replay-protected|invalid chain ?id/i,
]
const NONCE_TOO_LOW = /nonce (is )?too low/i

/** True if the node refused the transaction for good, so that it will never be mined. */
export async function isRefused(client: Client, error: unknown, hash: Hex): Promise<boolean> {
  const text = textOf(error)
  if (NONCE_TOO_LOW.test(text)) return isUnknown(client, hash)
  return REFUSALS.some((refusal) => refusal.test(text))
}

export const isWithoutFunds = (error: unknown): boolean => NO_FUNDS.some((words) => words.test(textOf(error)))

export const isRevert = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((cause) => cause instanceof ExecutionRevertedError) !== null

/** The JSON-RPC error that the node answered; null when there was no such answer. */
function rpcAnswer(error: unknown): RpcRequestError | null {
  const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null
  return answer instanceof RpcRequestError ? answer : null
}

function textOf(error: unknown): string {
  const answer = rpcAnswer(error)
  return answer === null ? '' : `${answer.message} ${answer.details}`
}

export const detailOf = (error: unknown): string => reasonOf(rpcAnswer(error)?.details ?? error)

/** True only when the node says that there is no receipt: a nonce that is too low may be the first try's own. */
async function isUnknown(client: Client, hash: Hex): Promise<boolean> {
  try {
    await getTransactionReceipt(client, { hash })
    return false
  } catch (error) {
    return error instanceof TransactionReceiptNotFoundError
  }
}
