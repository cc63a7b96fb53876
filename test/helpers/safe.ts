import safeProxy from '@safe-global/safe-smart-account/build/artifacts/contracts/proxies/SafeProxy.sol/SafeProxy.json' with {
  type: 'json',
}
import safeArtifact from '@safe-global/safe-smart-account/build/artifacts/contracts/Safe.sol/Safe.json' with {
  type: 'json',
}
import {
  type Account,
  type Address,
  type Chain,
  type Client,
  concatHex,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  type LocalAccount,
  parseAbi,
  type Transport,
  zeroAddress,
} from 'viem'
import { getTransactionCount, readContract, sendTransaction, waitForTransactionReceipt } from 'viem/actions'
import * as z from 'zod'

const safeAbi = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  'function nonce() view returns (uint256)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)',
])
const proxyAbi = parseAbi(['constructor(address singleton)'])
const SAFE_TX = {
  SafeTx: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
    { name: 'operation', type: 'uint8' },
    { name: 'safeTxGas', type: 'uint256' },
    { name: 'baseGas', type: 'uint256' },
    { name: 'gasPrice', type: 'uint256' },
    { name: 'gasToken', type: 'address' },
    { name: 'refundReceiver', type: 'address' },
    { name: 'nonce', type: 'uint256' },
  ],
} as const
/** Set, so that no estimate runs before a call that is to fail. */
const GAS = 1_000_000n

const hexSchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]+$/)])

type SafeClient = Client<Transport, Chain, Account>

/** Deploys a Safe as its app does: a proxy over the code of its package, set up with owners and a threshold. The client pays. */
export async function deploySafe(client: SafeClient, owners: readonly Address[], threshold: bigint): Promise<Address> {
  const singleton = await deploy(client, hexSchema.parse(safeArtifact.bytecode))
  const bytecode = hexSchema.parse(safeProxy.bytecode)
  const safe = await deploy(client, encodeDeployData({ abi: proxyAbi, bytecode, args: [singleton] }))
  const none = [zeroAddress, '0x', zeroAddress, zeroAddress, 0n, zeroAddress] as const
  const data = encodeFunctionData({ abi: safeAbi, functionName: 'setup', args: [owners, threshold, ...none] })
  await mined(client, sendTransaction(client, { to: safe, data, gas: GAS }))
  return safe
}

/** Has the Safe call a contract with the signatures of these owners. Throws when the Safe refuses or the call fails. */
export async function callAsSafe(
  client: SafeClient,
  safe: Address,
  signers: readonly LocalAccount[],
  call: { to: Address; data: Hex },
): Promise<void> {
  const nonce = await readContract(client, { address: safe, abi: safeAbi, functionName: 'nonce' })
  const free = { safeTxGas: 0n, baseGas: 0n, gasPrice: 0n, gasToken: zeroAddress, refundReceiver: zeroAddress }
  const message = { ...call, value: 0n, operation: 0, ...free, nonce }
  const domain = { chainId: client.chain.id, verifyingContract: safe }
  // The Safe wants the signatures in the order of their signers' addresses.
  const inOrder = signers.toSorted((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))
  const signatures = await Promise.all(
    inOrder.map((owner) => owner.signTypedData({ domain, types: SAFE_TX, primaryType: 'SafeTx', message })),
  )
  const { to, data, value, operation } = message
  const words = [to, value, data, operation, 0n, 0n, 0n, zeroAddress, zeroAddress, concatHex(signatures)] as const
  const execute = encodeFunctionData({ abi: safeAbi, functionName: 'execTransaction', args: words })
  await mined(client, sendTransaction(client, { to: safe, data: execute, gas: GAS }))
}

async function deploy(client: SafeClient, data: Hex): Promise<Address> {
  const from = client.account.address
  const nonce = BigInt(await getTransactionCount(client, { address: from }))
  await mined(client, sendTransaction(client, { data, gas: 8_000_000n }))
  return getContractAddress({ from, nonce })
}

async function mined(client: SafeClient, sent: Promise<Hex>): Promise<void> {
  const { status } = await waitForTransactionReceipt(client, { hash: await sent })
  if (status !== 'success') throw new Error('The transaction reverted.')
}
