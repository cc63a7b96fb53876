import type { Address, Hex } from 'viem'
import type { TransferTypedData } from '../../../protocol/eip3009.ts'

/** The EIP-3009 transfer we are looking for on one chain. */
export interface TransferQuery {
  chainId: number
  asset: Address
  payer: Address
  payTo: Address
  /** Atomic units of the asset. */
  amount: bigint
  nonce: Hex
}

/** A transfer found in a mined receipt together with its own `AuthorizationUsed`. */
export interface MinedTransfer {
  transaction: Hex
  /** Log index of the `Transfer` within its block, as receipts give it. */
  logIndex: number
  confirmations: number
}

/** As `MinedTransfer`, with the time of its block. */
export interface FoundTransfer extends MinedTransfer {
  blockTime: Date
}

/** The state of an authorization nonce on the chain, read in one block. */
export interface AuthorizationStatus {
  /** True when it was used or cancelled. */
  spent: boolean
  /** Time of the block it was read in, by the chain's own clock. */
  blockTime: Date
}

/** The fate of a spent nonce. `cancelled` moved no money; `elsewhere` moved money, but not this transfer. */
export type AuthorizationOutcome =
  | ({ kind: 'transferred' } & FoundTransfer)
  | { kind: 'cancelled' }
  | { kind: 'elsewhere' }
  | { kind: 'not_found' }

/** Reads of public RPCs. Every method throws `ChainUnavailable` when the RPC cannot be asked; none writes. */
export interface Chain {
  /** True if an account has code (a contract wallet or a delegated account). */
  hasCode(chainId: number, account: Address): Promise<boolean>
  /** True if a contract controls the account. Not so for a delegated account (EIP-7702): its own key still controls it. */
  isContract(chainId: number, account: Address): Promise<boolean>
  authorizationStatus(query: Pick<TransferQuery, 'chainId' | 'asset' | 'payer' | 'nonce'>): Promise<AuthorizationStatus>
  /** Searches `AuthorizationUsed` and `AuthorizationCanceled` of the nonce in blocks from `since` to `until`, then its `Transfer`. */
  authorizationOutcome(query: TransferQuery, since: Date, until: Date): Promise<AuthorizationOutcome>
  /**
   * The matching transfer in the receipt of `transaction`; null while it is not mined or holds no such transfer. Reads are shared by
   * all that wait for a receipt of that chain, so that an answer may take one interval, and be that old.
   */
  transferIn(query: TransferQuery, transaction: Hex): Promise<MinedTransfer | null>
  /** True if `transaction` was mined and reverted. False while it is not mined. */
  isReverted(chainId: number, transaction: Hex): Promise<boolean>
  /** True if a smart account's signature over a message is valid (ERC-1271, ERC-6492). */
  verifyMessage(chainId: number, account: Address, message: string, signature: Hex): Promise<boolean>
  /** As `verifyMessage`, for EIP-712 data. */
  verifyTypedData(chainId: number, account: Address, typedData: TransferTypedData, signature: Hex): Promise<boolean>
  /** True if `token` is an EIP-3009 token whose `DOMAIN_SEPARATOR()` is that of the given name and version. */
  isPayableToken(chainId: number, token: Address, domain: { name: string; version: string }): Promise<boolean>
  /** `name()` of a token. */
  tokenName(chainId: number, token: Address): Promise<string>
  /** `balanceOf`, atomic units. */
  balanceOf(chainId: number, token: Address, account: Address): Promise<bigint>
  /** `stakedBalance` of the staking contract, atomic units (18 decimals). */
  stakedBalance(chainId: number, staking: Address, account: Address): Promise<bigint>
  /** `totalBurned()` of wrapped AIC, atomic units: all that was ever burned, by every splitter. */
  totalBurned(chainId: number, token: Address): Promise<bigint>
}

/** The RPC did not answer, or not sensibly. */
export class ChainUnavailable extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = 'ChainUnavailable'
  }
}
