import { type Hex, isHex } from 'viem'
import { callContract, ensureChain } from '../../../shared/wallet/chain.ts'
import { isRefusedByContract, walletTrouble } from '../../../shared/wallet/errors.ts'
import type { Provider } from '../../../shared/wallet/provider.ts'
import {
  type BatchCall,
  type BatchEnd,
  makeSpentCheck,
  sendBatch,
  sendsBatches,
  waitForBatch,
} from '../../../shared/wallet/send-calls.ts'
import { type TransactionEnd, waitForTransaction } from '../../../shared/wallet/wait-transaction.ts'
import type { SaleConfig } from '../config.ts'
import { CLAIM_MODULE, encodeCall, PRESALE, USDC, wordsIn } from './calls.ts'
import { refusalName } from './refusal.ts'
import { DOMAIN_FIELDS, readDomain } from './usdc-domain.ts'

export { refusalName }

/** What the person is asked for now, or what is waited for. */
export type PayStep = 'prompt' | 'permit' | 'approve' | 'send' | 'wait'
export type PayEnd =
  | { at: TransactionEnd | BatchEnd; hash: Hex | null }
  | { at: 'wrong_chain' | 'other_price' | 'no_ether' | 'approved'; hash: null }

/** The context of every call. */
export interface PayCall {
  provider: Provider
  address: Hex
  config: SaleConfig
  onStep(step: PayStep): void
}

const PERMIT_SECONDS = 3600
const SIGNATURE = /^0x([0-9a-f]{64})([0-9a-f]{64})([0-9a-f]{2})$/i

const PERMIT_TYPE = [
  { name: 'owner', type: 'address' },
  { name: 'spender', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
]

/** The purchase: the USDC to pay in a phase, and the AIC that the page says this buys. */
export interface Order {
  phaseId: number
  usdc: bigint
  aic: bigint
}

/**
 * Buys AIC in a phase in the way that needs the fewest prompts: both calls in one prompt where the wallet can, else with a permit, else
 * with an approval first. Each transaction is simulated before it is signed. Nothing is signed when the wallet's node has another price
 * than the page's: one of them is wrong. Throws the wallet's or the contract's error.
 */
export async function buyAic(call: PayCall, { phaseId, usdc, aic }: Order): Promise<PayEnd> {
  const { provider, config } = call
  if ((await ensureChain(provider, config.chainId)) !== 'ready') return { at: 'wrong_chain', hash: null }
  const id = BigInt(phaseId)
  const quote = await callContract(provider, { to: config.presale, data: encodeCall(PRESALE.quote, id, usdc) })
  if (wordsIn(quote)?.[0] !== aic) return { at: 'other_price', hash: null }
  const buy = encodeCall(PRESALE.buy, id, usdc)
  if ((await readAllowance(call)) >= usdc) return send(call, config.presale, buy)
  await checkSale(call, buy)

  const approve = encodeCall(USDC.approve, config.presale, usdc)
  const calls = [
    { to: config.usdc, data: approve },
    { to: config.presale, data: buy },
  ]
  const batched = await inOnePrompt(call, usdc, calls)
  if (batched !== null) return batched
  if (!(await hasEther(call))) return { at: 'no_ether', hash: null }
  const permit = await signPermit(call, usdc)
  if (permit !== null) {
    const data = encodeCall(PRESALE.buyWithPermit, id, usdc, ...permit)
    if (await succeeds(call, config.presale, data)) return send(call, config.presale, data)
  }
  call.onStep('approve')
  const approved = await transact(call, config.usdc, approve)
  return approved.at === 'done' ? buyApproved(call, buy) : approved
}

/** The purchase after an approval, which stays when the person rejects it. */
async function buyApproved(call: PayCall, buy: Hex): Promise<PayEnd> {
  try {
    return await send(call, call.config.presale, buy)
  } catch (error) {
    if (walletTrouble(error) === 'rejected') return { at: 'approved', hash: null }
    throw error
  }
}

/** False if the wallet has nothing to pay a network fee with. A node that does not say so counts as true: the wallet will say it. */
const hasEther = ({ provider, address }: PayCall): Promise<boolean> =>
  provider.request({ method: 'eth_getBalance', params: [address, 'latest'] }).then(
    (balance) => balance !== '0x0',
    () => true,
  )

/** Takes all of one's USDC back. Throws the wallet's or the contract's error. */
export const refund = (call: PayCall): Promise<PayEnd> => send(call, call.config.presale, PRESALE.refund)

/** Makes the sale final. Throws the wallet's or the contract's error. */
export const finalize = (call: PayCall): Promise<PayEnd> => send(call, call.config.presale, PRESALE.finalize)

/** Claims the AIC that is free. Throws the wallet's or the contract's error. */
export const claim = (call: PayCall): Promise<PayEnd> => send(call, call.config.claimModule, CLAIM_MODULE.claim)

/** Simulates a call of one of the sale's contracts, then sends it and waits for it. */
async function send(call: PayCall, to: Hex, data: Hex): Promise<PayEnd> {
  const { provider, address, config } = call
  if ((await ensureChain(provider, config.chainId)) !== 'ready') return { at: 'wrong_chain', hash: null }
  await callContract(provider, { from: address, to, data })
  call.onStep('send')
  return transact(call, to, data)
}

async function transact({ provider, address, onStep }: PayCall, to: Hex, data: Hex): Promise<PayEnd> {
  const hash = await provider.request({ method: 'eth_sendTransaction', params: [{ from: address, to, data }] })
  onStep('wait')
  const at = await waitForTransaction(provider, { hash, from: address })
  return { at, hash: isHex(hash) ? hash : null }
}

/**
 * Throws what the sale refuses, before anything is signed. As nothing is approved yet, the token refuses a sound purchase: that is
 * passed over.
 */
async function checkSale({ provider, address, config }: PayCall, buy: Hex): Promise<void> {
  try {
    await callContract(provider, { from: address, to: config.presale, data: buy })
  } catch (error) {
    const name = refusalName(error)
    if (isRefusedByContract(error) && (name === null || TOKEN_REFUSALS.includes(name))) return
    throw error
  }
}
/** How a token refuses to move what was not approved. */
const TOKEN_REFUSALS = ['Error', 'SafeERC20FailedOperation']

async function readAllowance({ provider, address, config }: PayCall): Promise<bigint> {
  const data = encodeCall(USDC.allowance, address, config.presale)
  return BigInt(await callContract(provider, { to: config.usdc, data }))
}

/** Both calls, which take that much USDC, in one prompt. Null when the wallet cannot do that after all. */
async function inOnePrompt(
  { provider, address, config, onStep }: PayCall,
  amount: bigint,
  calls: readonly BatchCall[],
): Promise<PayEnd | null> {
  const sender = { provider, address, chainId: config.chainId }
  if (!(await sendsBatches(sender))) return null
  const isOnChain = await makeSpentCheck(sender, config.usdc, amount)
  const id = await sendBatch(sender, calls)
  if (id === null) return null
  onStep('wait')
  return { at: await waitForBatch(provider, id, isOnChain), hash: null }
}

/** Asks for a permit (EIP-2612) of exactly that amount. Null when the token takes none or the wallet cannot sign one. Throws the person's refusal. */
async function signPermit(call: PayCall, value: bigint): Promise<[bigint, bigint, Hex, Hex] | null> {
  const { provider, address, config } = call
  const terms = await readDomain(provider, config, address)
  if (terms === null) return null
  const deadline = BigInt(Math.floor(Date.now() / 1000) + PERMIT_SECONDS)
  const types = { EIP712Domain: DOMAIN_FIELDS, Permit: PERMIT_TYPE }
  const message = {
    ...{ owner: address, spender: config.presale, value: value.toString() },
    ...{ nonce: terms.nonce.toString(), deadline: deadline.toString() },
  }
  const document = JSON.stringify({ domain: terms.domain, types, primaryType: 'Permit', message })
  call.onStep('permit')
  const asked = { method: 'eth_signTypedData_v4', params: [address, document] }
  const signature = await provider.request(asked).catch((error: unknown) => {
    const trouble = walletTrouble(error)
    if (trouble === 'rejected' || trouble === 'pending') throw error
    return null
  })
  const [, r, s, v] = SIGNATURE.exec(String(signature)) ?? []
  if (v === undefined) return null
  const last = BigInt(`0x${v}`)
  return [deadline, last < 27n ? last + 27n : last, `0x${r}`, `0x${s}`]
}

/** True if the chain would accept this now. A contract's wallet signs permits that the token refuses. Throws if no node answers. */
const succeeds = ({ provider, address }: PayCall, to: Hex, data: Hex): Promise<boolean> =>
  callContract(provider, { from: address, to, data }).then(
    () => true,
    (error: unknown) => {
      if (isRefusedByContract(error)) return false
      throw error
    },
  )
