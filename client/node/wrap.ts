import {
  BaseError,
  createClient,
  encodeFunctionData,
  formatEther,
  formatUnits,
  type Hex,
  HttpRequestError,
  http,
  keccak256,
  parseAbi,
  parseSignature,
  TimeoutError,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import {
  estimateFeesPerGas,
  estimateGas,
  getBalance,
  getChainId,
  getEip712Domain,
  getTransaction,
  getTransactionCount,
  readContract,
  sendRawTransaction,
  waitForTransactionReceipt,
} from 'viem/actions'
import { AIC_DECIMALS } from '../../protocol/money.ts'
import { networkName, usdcOf } from '../../protocol/networks.ts'
import { ConnectionError } from '../src/problem.ts'
import { WrapError } from './errors.ts'

const ABI = parseAbi([
  'function underlying() view returns (address)',
  'function balanceOf(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function nonces(address owner) view returns (uint256)',
  'function depositFor(address account, uint256 value) returns (bool)',
  'function depositWithPermit(uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function withdrawTo(address account, uint256 value) returns (bool)',
])
const PERMIT = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const
const PERMIT_SECONDS = 3_600
const LONGEST_WAIT_MS = 180_000
const POLL_MS = 1_000

export interface Wrap {
  /** A node of the reader's choice. */
  rpcUrl: string
  account: PrivateKeyAccount
  /** The contract of wrapped AIC. */
  wrapped: Hex
  /** Above zero, in atomic units. */
  amount: bigint
  /** Unwraps instead. */
  undo: boolean
  /** The chain that the node must be of. Without it, one with a name in `networks.ts`. */
  chainId?: number | undefined
  /** Called right before the transaction is sent. */
  onSend?(transaction: Hex): void
  /** How long it may take to be mined, in milliseconds. Default: three minutes. */
  waitMs?: number
  fetch?: typeof fetch
}

type Client = ReturnType<typeof createClient>

/** The transaction of a wrap, checked. */
interface Plan {
  chainId: number
  network: string
  to: Hex
  data: Hex
  nonce: number
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/**
 * Wraps AIC one for one, or unwraps it, in one transaction: the allowance is a permit (EIP-2612) of exactly the amount, unless there
 * is one already. Resolves when it is mined. Throws `WrapError`, and `ConnectionError` where the node does not answer and nothing was
 * sent.
 */
export async function wrapAic(wrap: Wrap): Promise<{ transaction: Hex; network: string }> {
  const fetchFn = wrap.fetch === undefined ? {} : { fetchFn: wrap.fetch }
  const client = createClient({ transport: http(wrap.rpcUrl, fetchFn), pollingInterval: POLL_MS })
  const { network, ...fields } = await plan(client, wrap).catch((cause: unknown) => {
    if (cause instanceof WrapError) throw cause
    if (isAnswer(cause)) throw new WrapError('refused', `The node refuses: ${shortOf(cause)}`, { cause })
    throw new ConnectionError(`${wrap.rpcUrl} does not answer as a node. Nothing was sent.`, { cause })
  })
  const signed = await wrap.account.signTransaction({ type: 'eip1559', ...fields })
  const transaction = keccak256(signed)
  wrap.onSend?.(transaction)
  // Sent once: after a lost answer, the node would refuse the second sending, though it has the first.
  const once = createClient({ transport: http(wrap.rpcUrl, { ...fetchFn, retryCount: 0 }) })
  await sendRawTransaction(once, { serializedTransaction: signed }).catch(async (cause: unknown) => {
    if (!isAnswer(cause) || (await mayHave(client, transaction))) return
    throw new WrapError('refused', `The node refuses: ${shortOf(cause)}`, { cause })
  })
  await mined(client, wrap, transaction, fields.nonce)
  return { transaction, network }
}

async function plan(client: Client, wrap: Wrap): Promise<Plan> {
  const chainId = await getChainId(client)
  const network = `eip155:${chainId}`
  checkChain(network, wrap)
  const token = await readContract(client, { address: wrap.wrapped, abi: ABI, functionName: 'underlying' }).catch(
    (cause: unknown) => {
      if (!isAnswer(cause)) throw cause
      throw new WrapError('no_wrapper', `There is no wrapped AIC at ${wrap.wrapped} on ${networkName(network)}.`, {
        cause,
      })
    },
  )
  await checkBalance(client, wrap, wrap.undo ? wrap.wrapped : token, network)
  const to = wrap.wrapped
  const from = wrap.account.address
  const data = await callOf(client, wrap, token, chainId)
  const [estimate, fees, nonce, ether] = await Promise.all([
    estimateGas(client, { account: from, to, data }),
    estimateFeesPerGas(client),
    getTransactionCount(client, { address: from, blockTag: 'pending' }),
    getBalance(client, { address: from }),
  ])
  // The state may change until it is mined.
  const gas = (estimate * 5n) / 4n
  const most = gas * fees.maxFeePerGas
  if (ether < most) {
    const has = `has ${formatEther(ether)} ETH on ${networkName(network)}`
    throw new WrapError('no_gas', `${from} ${has}, and the network fee is up to ${formatEther(most)} ETH.`)
  }
  return { chainId, network, to, data, nonce, gas, ...fees }
}

function checkChain(network: string, { rpcUrl, chainId }: Wrap): void {
  const wanted = chainId === undefined ? undefined : `eip155:${chainId}`
  if (wanted === network || (wanted === undefined && usdcOf(network) !== undefined)) return
  const want = wanted === undefined ? 'give --chain-id if that is meant' : `not ${networkName(wanted)}`
  throw new WrapError('wrong_chain', `${rpcUrl} is a node of ${networkName(network)}, ${want}.`)
}

async function checkBalance(client: Client, wrap: Wrap, address: Hex, network: string): Promise<void> {
  const { account, amount, undo } = wrap
  const held = await readContract(client, { address, abi: ABI, functionName: 'balanceOf', args: [account.address] })
  if (held >= amount) return
  const [has, wants] = [held, amount].map((value) => formatUnits(value, AIC_DECIMALS))
  const what = undo ? 'wrapped AIC' : 'AIC'
  const where = networkName(network)
  throw new WrapError('too_little', `${account.address} has ${has} ${what} on ${where}, and ${wants} are asked for.`)
}

async function callOf(client: Client, wrap: Wrap, token: Hex, chainId: number): Promise<Hex> {
  const { account, wrapped, amount, undo } = wrap
  const owner = account.address
  const plain = [owner, amount] as const
  if (undo) return encodeFunctionData({ abi: ABI, functionName: 'withdrawTo', args: plain })
  const allowance = { address: token, abi: ABI, functionName: 'allowance', args: [owner, wrapped] } as const
  if ((await readContract(client, allowance)) >= amount)
    return encodeFunctionData({ abi: ABI, functionName: 'depositFor', args: plain })
  const [{ domain: known }, nonce] = await Promise.all([
    getEip712Domain(client, { address: token }),
    readContract(client, { address: token, abi: ABI, functionName: 'nonces', args: [owner] }),
  ])
  if (known.chainId !== chainId || known.verifyingContract.toLowerCase() !== token.toLowerCase())
    throw new WrapError('no_wrapper', `The token at ${token} asks for a signature for another one.`)
  const domain = { name: known.name, version: known.version, chainId, verifyingContract: token }
  const deadline = BigInt(Math.floor(Date.now() / 1_000) + PERMIT_SECONDS)
  const message = { owner, spender: wrapped, value: amount, nonce, deadline }
  const signature = await account.signTypedData({ domain, types: PERMIT, primaryType: 'Permit', message })
  const { r, s, yParity } = parseSignature(signature)
  const args = [amount, deadline, yParity + 27, r, s] as const
  return encodeFunctionData({ abi: ABI, functionName: 'depositWithPermit', args })
}

async function mined(client: Client, { account, waitMs = LONGEST_WAIT_MS }: Wrap, transaction: Hex, nonce: number) {
  const waited = { hash: transaction, timeout: waitMs, replacement: { from: account.address, nonce } }
  const receipt = await waitForTransactionReceipt(client, waited).catch((cause: unknown) => {
    const message = `${transaction} was sent, and it is not known yet whether it was mined. Look for it before you try again.`
    throw new WrapError('unmined', message, { transaction, cause })
  })
  if (receipt.transactionHash !== transaction)
    throw new WrapError('replaced', `Another transaction of this wallet replaced ${transaction}.`, { transaction })
  if (receipt.status !== 'success')
    throw new WrapError('reverted', `${transaction} was mined and failed. Only the network fee was spent.`, {
      transaction,
    })
}

/** True if the node has the transaction, which it may refuse as known; also when it does not answer. */
const mayHave = (client: Client, hash: Hex): Promise<boolean> =>
  getTransaction(client, { hash }).then(
    () => true,
    (error: unknown) => !isAnswer(error),
  )

/** True if the node answered. False if it is out of reach. */
const isAnswer = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError) === null

const shortOf = (error: unknown): string => (error instanceof BaseError ? error.shortMessage : String(error))
