import { type Address, decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex, isHex, numberToHex } from 'viem'
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

/** Other wallets buy up what the first phase has left, and so end the sale. Nothing happens when it is sold out. */
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

/** Claims begin with the next block: the admin brings the TGE forward. */
export async function beginClaims(chain: PresaleChain): Promise<void> {
  const rpc = createRpc(chain.rpcUrl)
  const block = Object(await rpc.call('eth_getBlockByNumber', 'latest', false))
  // The transaction's own block may be a second later, and the TGE must not be in the past.
  const time = BigInt(block.timestamp) + 2n
  const data = encodeFunctionData({ abi: claimModuleAbi, functionName: 'setTge', args: [time] })
  const from = presaleAdminKey().account.address
  await rpc.transact([{ from, to: contractOf(chain, 'claimModule'), data, gas: GAS }])
}

async function ask(rpc: Rpc, to: Address, data: Hex): Promise<Hex> {
  const answer = await rpc.call('eth_call', { to, data }, 'latest')
  if (!isHex(answer)) throw new Error(`${to} does not answer`)
  return answer
}
