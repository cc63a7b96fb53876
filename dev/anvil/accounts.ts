import { pbkdf2Sync } from 'node:crypto'
import { bytesToHex, type Hex } from 'viem'
import { HDKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/**
 * The dev chain's own seed phrase (a valid BIP-39 one, so that a wallet can import it). It is public: these keys own play money
 * only. It is not the usual "test test … junk", whose accounts carry sweepers' code on public networks and so break forks.
 */
export const DEV_MNEMONIC = 'coin slot coin slot coin slot coin slot coin slot coin cash'

/** Number of accounts that anvil unlocks: those below, apart from the buyers. */
export const STAFF_COUNT = 9
const FIRST_BUYER = 10

export interface DevKey {
  privateKey: Hex
  account: PrivateKeyAccount
}

/** The parent of all accounts. Each step of a path takes as long as a signature, so the common ones are taken once. */
let parent: HDKey | undefined

function deriveKey(index: number): DevKey {
  parent ??= HDKey.fromMasterSeed(pbkdf2Sync(DEV_MNEMONIC, 'mnemonic', 2048, 64, 'sha512')).derive("m/44'/60'/0'/0")
  const derived = parent.deriveChild(index).privateKey
  if (derived === null) throw new Error(`account ${index} of the dev phrase has no private key`)
  const privateKey = bytesToHex(derived)
  return { privateKey, account: privateKeyToAccount(privateKey) }
}

/** Owner and minter of the dev USDC. */
export const deployerKey = (): DevKey => deriveKey(0)
/** Pays the gas of settlements. */
export const facilitatorKey = (): DevKey => deriveKey(1)
/** Receives the payments (`payTo`). */
export const treasuryKey = (): DevKey => deriveKey(2)

/** Deploys the eight contracts of the presale and the other AIC contracts. It sends nothing before them. */
export const aicDeployerKey = (): DevKey => deriveKey(3)
/** Admin of the presale, the claim module and the vaults. */
export const presaleAdminKey = (): DevKey => deriveKey(4)
/** Operators of the liquidity, dev, team and marketing vault. */
export const vaultOperatorKeys = (): DevKey[] => [5, 6, 7, 8].map(deriveKey)

/** The first `count` buyers. They are always the same. */
export function buyerKeys(count: number): DevKey[] {
  return Array.from({ length: count }, (_, index) => deriveKey(FIRST_BUYER + index))
}
