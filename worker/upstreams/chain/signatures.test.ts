import { type Address, concat, getContractAddress, type Hex, pad, serializeErc6492Signature } from 'viem'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { CHAIN_ID, makeTransfers, typedData, useDevChain, walletInitCode } from '../../../test/helpers/dev-chain.ts'

/** The factory that anvil and most chains have from their start: salt and init code in, a CREATE2 contract out. */
const FACTORY: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

const dev = useDevChain()
const { freshQuery, sign } = makeTransfers(dev)

describe('plain accounts', () => {
  it('default: contracts have code, buyers have none', async () => {
    expect(await dev.chainOver().hasCode(CHAIN_ID, dev.stack.usdc)).toBe(true)
    expect(await dev.chainOver().hasCode(CHAIN_ID, dev.buyer.address)).toBe(false)
  })

  it('default: a plain account’s signature holds, a changed message or garbage does not', async () => {
    const chain = dev.chainOver()
    const query = freshQuery()
    const signature = await sign(query)
    expect(await chain.verifyTypedData(CHAIN_ID, dev.buyer.address, typedData(query), signature)).toBe(true)
    expect(
      await chain.verifyTypedData(CHAIN_ID, dev.buyer.address, typedData({ ...query, amount: 1n }), signature),
    ).toBe(false)
    expect(await chain.verifyTypedData(CHAIN_ID, dev.buyer.address, typedData(query), '0x')).toBe(false)
    expect(
      await chain.verifyMessage(
        CHAIN_ID,
        dev.buyer.address,
        'hello',
        await dev.buyer.signMessage({ message: 'hello' }),
      ),
    ).toBe(true)
    expect(
      await chain.verifyMessage(
        CHAIN_ID,
        dev.buyer.address,
        'hullo',
        await dev.buyer.signMessage({ message: 'hello' }),
      ),
    ).toBe(false)
  })
})

describe('contract wallets', () => {
  it('behavior: a deployed contract wallet (ERC-1271) decides about its own signatures', async () => {
    const wallet = await deployWallet(dev.buyer.address)
    const signature = await dev.buyer.signMessage({ message: 'hello' })
    expect(await dev.chainOver().verifyMessage(CHAIN_ID, wallet, 'hello', signature)).toBe(true)
    expect(await dev.chainOver().verifyMessage(CHAIN_ID, wallet, 'hullo', signature)).toBe(false)
  })

  it('behavior: an undeployed contract wallet (ERC-6492) signs, and stays undeployed', async () => {
    const chain = dev.chainOver()
    const { address, data } = await plannedWallet(dev.buyer.address)
    const signature = await dev.buyer.signMessage({ message: 'hello' })
    const wrapped = serializeErc6492Signature({ address: FACTORY, data, signature })
    expect(await chain.verifyMessage(CHAIN_ID, address, 'hello', wrapped)).toBe(true)
    expect(await chain.verifyMessage(CHAIN_ID, address, 'hullo', wrapped)).toBe(false)
    expect(await chain.verifyMessage(CHAIN_ID, FACTORY, 'hello', wrapped)).toBe(false)
    expect(await dev.rpc.call('eth_getCode', address, 'latest')).toBe('0x')
  })
})

async function deployWallet(owner: Address): Promise<Address> {
  const hash = await dev.transact({ data: await walletInitCode(owner) })
  const receipt = z.object({ contractAddress: z.templateLiteral(['0x', z.string()]) })
  return receipt.parse(await dev.rpc.call('eth_getTransactionReceipt', hash)).contractAddress
}

/** Where a wallet of `owner` would stand, and the call that would put it there. */
async function plannedWallet(owner: Address): Promise<{ address: Address; data: Hex }> {
  const bytecode = await walletInitCode(owner)
  const salt = pad('0x01', { size: 32 })
  const address = getContractAddress({ opcode: 'CREATE2', from: FACTORY, salt, bytecode })
  return { address, data: concat([salt, bytecode]) }
}
