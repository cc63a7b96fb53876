import { startOf } from '@coinslot/client/excerpt'
import { isFields } from '../shape.ts'

/** The meaning of a wallet's error. */
export type WalletTrouble = 'rejected' | 'pending' | 'unknown_chain' | 'locked' | 'other'

const REJECTED_CODES = new Set<unknown>([4001, 5000, 'ACTION_REJECTED'])
const REJECTED_WORDS = /reject|denied|declin|cancel|refus|user closed|abgelehnt|abgebrochen|annul|rechaz/i
const UNKNOWN_CHAIN_WORDS =
  /unrecogni[sz]ed chain|unknown chain|add(ing)? (the|this) (chain|network)|chain .*not (been )?(added|configured)|wallet_addethereumchain/i
const MAX_DEPTH = 4

/** Classifies an error by its codes and messages, and by those of its nested errors. */
export function walletTrouble(error: unknown): WalletTrouble {
  const seen = layers(error)
  if (seen.some(({ code }) => code === -32002)) return 'pending'
  if (seen.some(({ code }) => code === 4902 || code === '4902')) return 'unknown_chain'
  if (seen.some(({ code }) => REJECTED_CODES.has(code))) return 'rejected'
  if (seen.some(({ message }) => UNKNOWN_CHAIN_WORDS.test(message))) return 'unknown_chain'
  if (seen.some(({ message }) => /already pending|request.*pending/i.test(message))) return 'pending'
  if (seen.some(({ message }) => REJECTED_WORDS.test(message))) return 'rejected'
  return 'other'
}

/** JSON-RPC and EIP-1193 codes for a method, its parameters or a capability (EIP-5792) that the wallet does not support. */
const UNSUPPORTED_CODES = new Set<unknown>([-32601, -32602, 4100, 4200, 5700, 5710, 5740, 5750, 5760])

/** True if the wallet cannot do what was asked, so that an older way is due. */
export function isUnsupported(error: unknown): boolean {
  return layers(error).some(({ code }) => UNSUPPORTED_CODES.has(code))
}

/** The code and the words of nodes for a call that a contract refused. */
const REVERT_CODE = 3
const REVERT_WORDS = /revert|invalid opcode/i

/** True if a call failed because the contract refused it, rather than because no node answered it. */
export function isRefusedByContract(error: unknown): boolean {
  return layers(error).some(({ code, message }) => code === REVERT_CODE || REVERT_WORDS.test(message))
}

function layers(error: unknown, depth = 0): { code: unknown; message: string }[] {
  if (typeof error === 'string') return [{ code: null, message: error }]
  if (!isFields(error) || depth > MAX_DEPTH) return []
  const message = typeof error['message'] === 'string' ? error['message'] : ''
  const inner = [error['cause'], error['data'], error['originalError'], error['error'], error['info']]
  return [{ code: error['code'], message }, ...inner.flatMap((next) => layers(next, depth + 1))]
}

/** The wallet's message, cut to one line. */
export function walletWords(error: unknown): string {
  const words = layers(error).find(({ message }) => message !== '')?.message ?? ''
  return startOf(words, 160)
}

/** Why a request to the wallet failed. */
export interface WalletFailure {
  trouble: WalletTrouble
  walletMessage: string
}

/** The failure of a wallet that shares no account. */
export const LOCKED: WalletFailure = { trouble: 'locked', walletMessage: '' }

/** The failure that a wallet's error stands for. */
export function walletFailure(error: unknown): WalletFailure {
  return { trouble: walletTrouble(error), walletMessage: walletWords(error) }
}
