import {
  createWalletClient,
  encodeAbiParameters,
  type Hex,
  http,
  keccak256,
  type PrivateKeyAccount,
  publicActions,
} from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import type { Screen } from '../../client/cli/terminal.ts'
import type { LocalStack } from '../../client/node/local-stack.ts'
import { claimModuleAbi } from '../../contracts/abi/claim-module.ts'
import { presaleAbi } from '../../contracts/abi/presale.ts'
import { formatAmount, USDC_DECIMALS } from '../../protocol/money.ts'
import { deployerKey } from '../anvil/accounts.ts'
import { beginClaims, contractOf, endSale, finishSale, sellOut } from '../anvil/presale-play.ts'
import { usdcOnChain } from '../anvil/usdc.ts'

/** 100 USDC. */
const AMOUNT = 100_000_000n
const PHASE = 1n
const AIC_DECIMALS = 18
const POLL_MS = 200
/** In the order of the contract's enum. */
const STATE = { open: 1, finalized: 5 }

type Client = ReturnType<typeof clientOf>

const clientOf = (rpcUrl: string, account: PrivateKeyAccount) =>
  createWalletClient({ account, transport: http(rpcUrl), pollingInterval: 50 }).extend(publicActions)

const short = (amount: bigint, decimals: number): string => formatAmount(amount, decimals).replace(/\.?0+$/, '')

/** Buys in the presale, finishes it, and claims, on the local chain. A sale that is final already is only claimed from. */
export async function playPresale(stack: LocalStack, account: PrivateKeyAccount, screen: Screen): Promise<void> {
  const buyer = clientOf(stack.rpcUrl, account)
  const presale = { address: contractOf(stack, 'presale'), abi: presaleAbi } as const
  const state = await buyer.readContract({ ...presale, functionName: 'state' })
  if (state === STATE.open) {
    screen.wait('buying')
    await buyWithOneSignature(buyer, stack)
    screen.done(`bought for ${short(AMOUNT, USDC_DECIMALS)} USDC with one signature, and no gas`, account.address)
    screen.wait('others buy the rest')
    await sellOut(stack)
    screen.done('others bought the rest')
    const coolingOff = await buyer.readContract({ ...presale, functionName: 'coolingOff' })
    await endSale(stack, Number(coolingOff))
    screen.done('the time of the sale and its cooling-off are over')
  }
  if (state !== STATE.finalized) {
    await finishSale(stack)
    screen.done('finished the sale')
    screen.wait('claims are announced a minute ahead')
    await beginClaims(stack)
    screen.done('claims began')
  }
  screen.wait('claiming')
  const claimed = await claim(buyer, stack)
  screen.done(`claimed ${short(claimed, AIC_DECIMALS)} AIC; more becomes free each second`)
}

/** The buyer signs one EIP-3009 authorization, whose nonce names the phase. Another account sends it and pays the gas. */
async function buyWithOneSignature(buyer: Client, stack: LocalStack): Promise<void> {
  const { account } = buyer
  const salt = keccak256(generatePrivateKey())
  const { timestamp } = await buyer.getBlock()
  const terms = { from: account.address, value: AMOUNT, validAfter: 0n, validBefore: timestamp + 3_600n }
  const nonce = keccak256(encodeAbiParameters([{ type: 'uint256' }, { type: 'bytes32' }], [PHASE, salt]))
  const domain = {
    name: usdcOnChain(stack.chainId).name,
    version: '2',
    chainId: stack.chainId,
    verifyingContract: stack.usdc,
  }
  const signature = await account.signTypedData({
    domain,
    types: { ReceiveWithAuthorization: AUTHORIZATION_TYPE },
    primaryType: 'ReceiveWithAuthorization',
    message: { ...terms, to: contractOf(stack, 'presale'), nonce },
  })
  const relay = clientOf(stack.rpcUrl, deployerKey().account)
  const hash = await relay.writeContract({
    ...{ address: contractOf(stack, 'presale'), abi: presaleAbi, chain: null },
    functionName: 'buyWithAuthorization',
    args: [PHASE, { ...terms, salt, signature }],
  })
  await succeeded(relay, hash)
}

const AUTHORIZATION_TYPE = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
]

/** Waits until something is free, and claims it. Returns how much was claimed. Throws when this account bought nothing. */
async function claim(buyer: Client, stack: LocalStack): Promise<bigint> {
  const module = { address: contractOf(stack, 'claimModule'), abi: claimModuleAbi } as const
  const read = () => buyer.readContract({ ...module, functionName: 'claimable', args: [buyer.account.address] })
  const [total, , before] = await read()
  if (total === before) throw new Error('this account has nothing to claim: it bought nothing, or claimed all of it')
  for (let [, vested] = await read(); vested === before; [, vested] = await read()) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  await succeeded(buyer, await buyer.writeContract({ ...module, functionName: 'claim', chain: null }))
  const [, , after] = await read()
  return after - before
}

async function succeeded(client: Client, hash: Hex): Promise<void> {
  const { status } = await client.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`transaction ${hash} reverted`)
}
