import {
  type Address,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  isHex,
  keccak256,
  numberToHex,
} from 'viem'
import { claimModuleAbi } from '../../contracts/abi/claim-module.ts'
import { presaleAbi } from '../../contracts/abi/presale.ts'
import { deployerKey, presaleAdminKey } from './accounts.ts'
import { createRpc, type Rpc, type Transaction } from './rpc.ts'
import { usdcAbi } from './usdc.ts'

/** The running local chain. */
export interface PresaleChain {
  rpcUrl: string
  usdc: Address
  contracts: Readonly<Record<string, Address>>
}

const PHASE = 1n
const GAS = 1_000_000n
const ATOMIC_AIC = 10n ** 18n
/** Wallets that buy up the rest have addresses from here on. */
const FIRST_WALLET = 0xb0a70000
const ONE_ETHER = '0xde0b6b3a7640000'

/** A contract of the presale. Throws on a chain that the stack did not set up. */
export function contractOf({ contracts }: PresaleChain, name: string): Address {
  const address = contracts[name]
  if (address === undefined) throw new Error(`there is no ${name} on this chain`)
  return address
}

/** Other wallets buy up what the first phase has left. Nothing happens when it is sold out; its time ends the sale. */
export async function sellOut(chain: PresaleChain): Promise<void> {
  const rpc = createRpc(chain.rpcUrl)
  const presale = contractOf(chain, 'presale')
  const read = async (functionName: 'phase' | 'soldIn'): Promise<Hex> =>
    ask(rpc, presale, encodeFunctionData({ abi: presaleAbi, functionName, args: [PHASE] }))
  const { cap, price, walletCap } = decodeFunctionResult({
    abi: presaleAbi,
    functionName: 'phase',
    data: await read('phase'),
  })
  const sold = decodeFunctionResult({ abi: presaleAbi, functionName: 'soldIn', data: await read('soldIn') })
  let left = ((cap - sold.aic) * price) / ATOMIC_AIC
  for (let index = 0; left > 0n; index += 1) {
    const piece = left < walletCap ? left : walletCap
    await buyAs(rpc, chain, numberToHex(FIRST_WALLET + index, { size: 20 }), piece)
    left -= piece
  }
}

async function buyAs(rpc: Rpc, chain: PresaleChain, wallet: Address, usdc: bigint): Promise<void> {
  const presale = contractOf(chain, 'presale')
  await rpc.batch([
    { method: 'anvil_impersonateAccount', params: [wallet] },
    { method: 'anvil_setBalance', params: [wallet, ONE_ETHER] },
  ])
  const calls: Transaction[] = [
    {
      from: deployerKey().account.address,
      to: chain.usdc,
      data: encodeFunctionData({ abi: usdcAbi, functionName: 'mint', args: [wallet, usdc] }),
    },
    {
      from: wallet,
      to: chain.usdc,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [presale, usdc] }),
    },
    {
      from: wallet,
      to: presale,
      data: encodeFunctionData({ abi: presaleAbi, functionName: 'buy', args: [PHASE, usdc] }),
    },
  ]
  await rpc.transact(calls.map((call) => ({ ...call, gas: GAS })))
}

/** More than the presale has variables before its phases. */
const MOST_SLOTS = 32n
const HALF_SLOT = 1n << 64n

/**
 * Ends the sale that many seconds before the newest block: its last phase's end is written into the contract's storage, which only a
 * local chain lets us do. To move the clock instead would make the service's payments expire.
 */
export async function endSale(chain: PresaleChain, secondsAgo = 0): Promise<void> {
  const rpc = createRpc(chain.rpcUrl)
  const presale = contractOf(chain, 'presale')
  const call = { abi: presaleAbi, functionName: 'phase', args: [PHASE] } as const
  const { start, end, price } = decodeFunctionResult({
    ...{ abi: presaleAbi, functionName: 'phase' },
    data: await ask(rpc, presale, encodeFunctionData(call)),
  })
  const wordOf = (last: bigint): bigint => start + last * HALF_SLOT + price * HALF_SLOT * HALF_SLOT
  const ended = (await timeOf(rpc)) - BigInt(secondsAgo)
  for (let slot = 0n; slot < MOST_SLOTS; slot += 1n) {
    const key = keccak256(encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [PHASE, slot]))
    const word = await rpc.call('eth_getStorageAt', presale, key, 'latest')
    if (!isHex(word) || hexToBigInt(word) !== wordOf(end)) continue
    await rpc.call('anvil_setStorageAt', presale, key, numberToHex(wordOf(ended), { size: 32 }))
    await rpc.call('evm_mine')
    return
  }
  throw new Error('the phase was not found in the storage of the presale')
}

/** The time of the newest block, Unix seconds. */
async function timeOf(rpc: Rpc): Promise<bigint> {
  return BigInt(Object(await rpc.call('eth_getBlockByNumber', 'latest', false)).timestamp)
}

/** Makes a sale that is over final, as anyone can. */
export async function finishSale(chain: PresaleChain): Promise<void> {
  const data = encodeFunctionData({ abi: presaleAbi, functionName: 'finalize' })
  const finalize = { from: deployerKey().account.address, to: contractOf(chain, 'presale'), data, gas: GAS }
  await createRpc(chain.rpcUrl).transact([finalize])
}

/** The admin cancels the sale: every buyer can take all USDC back. */
export async function cancelSale(chain: PresaleChain): Promise<void> {
  const data = encodeFunctionData({ abi: presaleAbi, functionName: 'cancel' })
  const cancel = { from: presaleAdminKey().account.address, to: contractOf(chain, 'presale'), data, gas: GAS }
  await createRpc(chain.rpcUrl).transact([cancel])
}

const POLL_MS = 500

/** The admin brings the TGE forward as far as its notice allows, and the notice is waited for: claims have begun then. */
export async function beginClaims(chain: PresaleChain): Promise<void> {
  const rpc = createRpc(chain.rpcUrl)
  const claimModule = contractOf(chain, 'claimModule')
  const notice = hexToBigInt(
    await ask(rpc, claimModule, encodeFunctionData({ abi: claimModuleAbi, functionName: 'notice' })),
  )
  // The transaction's own block may be a second later, and the notice counts from it.
  const time = (await timeOf(rpc)) + notice + 2n
  const data = encodeFunctionData({ abi: claimModuleAbi, functionName: 'setTge', args: [time] })
  const from = presaleAdminKey().account.address
  await rpc.transact([{ from, to: claimModule, data, gas: GAS }])
  while ((await timeOf(rpc)) < time) await new Promise((resolve) => setTimeout(resolve, POLL_MS))
}

async function ask(rpc: Rpc, to: Address, data: Hex): Promise<Hex> {
  const answer = await rpc.call('eth_call', { to, data }, 'latest')
  if (!isHex(answer)) throw new Error(`${to} does not answer`)
  return answer
}
