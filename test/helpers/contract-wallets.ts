import { encodeFunctionData, erc20Abi, type Hex, numberToHex, pad, parseEther, toHex } from 'viem'
import { aicDeployerKey, deployerKey } from '../../dev/anvil/accounts.ts'
import { aicContractsOf } from '../../dev/anvil/deploy-aic.ts'
import { createRpc, type Rpc } from '../../dev/anvil/rpc.ts'
import { usdcAbi } from '../../dev/anvil/usdc.ts'

/** Returns ERC-1271's magic value. */
const VALID = '631626ba7e60e01b5f5260205ff3'
const REVERT = '5f5ffd'
/** Uses up all gas that the call was given. */
const BURN = 'fe'
/** Hashes 128 KiB of memory, so that a valid check is expensive too: about 75,000 gas. */
const WORK = '620200005f2050'
/** Returns storage slot 0 to every call. */
const SWITCH_CODE = '0x5f545f5260205ff3'

const byte = (value: number): string => value.toString(16).padStart(2, '0')
const bytesIn = (code: string): number => code.length / 2

/** Code that is valid unless `condition` leaves something other than zero on the stack. */
function validUnless(condition: string, otherwise: string, work = ''): Hex {
  const valid = work + VALID
  const target = bytesIn(condition) + 3 + bytesIn(valid)
  return `0x${condition}60${byte(target)}57${valid}5b${otherwise}`
}

const readSwitch = (at: Hex): string => `60205f5f5f73${at.slice(2)}5afa505f51`

/** Codes of contract wallets (ERC-1271), written by hand. */
export const walletCode = {
  /** Accepts every signature. */
  honest: `0x${VALID}`,
  /** Accepts every signature while `tx.gasprice` is zero: in a simulation without fees, never in a block. */
  freeGasOnly: validUnless('3a', REVERT),
  /** Accepts every signature while the switch is off. */
  switched: (at: Hex) => validUnless(readSwitch(at), REVERT),
  /** The same, with an expensive check, and all gas used up when the switch is on. */
  burning: (at: Hex) => validUnless(readSwitch(at), BURN, WORK),
} as const

/** Address number `index` of a group of wallets. */
export const walletAt = (group: number, index: number): Hex =>
  pad(numberToHex(0xc0de0000 + group * 0x1000 + index), { size: 20 })

export const setCode = (rpc: Rpc, address: Hex, code: Hex) => rpc.call('anvil_setCode', address, code)

/** A contract whose value wallets read: what simulations see is off, and it is on in each block that is mined through it. */
export async function installSwitch(rpcUrl: string, address: Hex) {
  const rpc = createRpc(rpcUrl)
  await setCode(rpc, address, SWITCH_CODE)
  const turn = (value: 0 | 1) => rpc.call('anvil_setStorageAt', address, '0x0', pad(numberToHex(value), { size: 32 }))
  return {
    async mineWithItOn(): Promise<void> {
      await turn(1)
      await rpc.call('evm_mine')
      await turn(0)
    },
  }
}

/** Mints atomic units of the dev USDC to each address. */
export const mintUsdc = (rpc: Rpc, usdc: Hex, amount: bigint, addresses: readonly Hex[]): Promise<void> =>
  rpc.transact(
    addresses.map((to) => ({
      from: deployerKey().account.address,
      to: usdc,
      data: encodeFunctionData({ abi: usdcAbi, functionName: 'mint', args: [to, amount] }),
      gas: 200_000n,
    })),
  )

/** Sends AIC (atomic units) of the community's vault, by the chain's own means: its code would spend nothing before the TGE. */
export async function giveAic(rpc: Rpc, to: Hex, amount: bigint): Promise<void> {
  const { token, presale } = aicContractsOf(aicDeployerKey().account.address)
  const from = presale.marketingVault
  await rpc.batch([
    { method: 'anvil_impersonateAccount', params: [from] },
    { method: 'anvil_setBalance', params: [from, toHex(parseEther('1'))] },
  ])
  await rpc.transact([
    { from, to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }) },
  ])
}
