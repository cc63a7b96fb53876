import { bodyOf, call, refreshCsrf, serverNow, writeHeaders } from '../api.ts'
import { fromAtomic } from '../money.ts'
import { type Problem, readProblem } from '../problem.ts'
import { currentChain, ensureChain } from '../wallet/chain.ts'
import { readBalance } from '../wallet/erc20.ts'
import { walletTrouble } from '../wallet/errors.ts'
import { firstAccount, type Provider, sameAddress } from '../wallet/provider.ts'
import type { Bill, Wish } from './machine.ts'
import { nextStep } from './next-step.ts'
import type { SignedPayment } from './payment-store.ts'
import { decimalsOf, type Offer, readQuote, symbolOf } from './quote.ts'
import { authorize, paymentHeader, typedData, validBefore } from './typed-data.ts'

/** Below this a quote is not worth signing: a wallet takes its time. */
const SHORTEST_VALIDITY_SECONDS = 45

/** The request as it is sent, quoted and paid: one string, byte for byte. */
export function requestBody(wish: Pick<Wish, 'task' | 'model' | 'input'>): string {
  return JSON.stringify({ task: wish.task, model: wish.model, input: wish.input })
}

export type Quoted = { kind: 'bill'; bill: Bill } | { kind: 'sign_in' } | { kind: 'problem'; problem: Problem }

/** Asks for the price of a wish: the unpaid call, whose right answer is 402. */
export async function askQuote(wish: Wish, from: string): Promise<Quoted> {
  for (let attempt = 0; ; attempt += 1) {
    const response = await call('/api/inference', {
      method: 'POST',
      headers: await writeHeaders(),
      body: requestBody(wish),
    })
    // Read in any case: a body left unread keeps its line open.
    const body = await bodyOf(response)
    const header = response.headers.get('payment-required')
    if (response.status === 402 && header !== null) {
      const quote = readQuote(header)
      return { kind: 'bill', bill: { quote, chosen: 0, from, validBefore: validBefore(quote, serverNow()) } }
    }
    const problem = readProblem(body, response.status)
    const next = nextStep(problem, attempt)
    if (next.do === 'refresh_csrf') await refreshCsrf()
    else return next.do === 'sign_in' ? { kind: 'sign_in' } : { kind: 'problem', problem }
  }
}

/** True when what the sheet shows would lapse while the wallet is open. */
export function isStale(bill: Bill): boolean {
  return bill.validBefore - serverNow().getTime() / 1000 < SHORTEST_VALIDITY_SECONDS
}

export function offerOf(bill: Bill): Offer {
  const offer = bill.quote.offers[bill.chosen]
  if (offer === undefined) throw new Error('no such offer')
  return offer
}

export type Signed =
  | { kind: 'signed'; payment: SignedPayment }
  | { kind: 'not_signed'; why: 'cancelled' | 'wallet_pending' | 'wrong_chain' | 'account_changed' }

/**
 * Lets the wallet sign exactly the bill: chain first, then one `eth_signTypedData_v4`. The account is read before and after,
 * so that a payload whose `from` is not the signer is never made. Calls `onSignature` when the signature is asked for.
 */
export async function signBill(provider: Provider, wish: Wish, bill: Bill, onSignature: () => void): Promise<Signed> {
  const offer = offerOf(bill)
  const chain = await ensureChain(provider, offer.chainId)
  if (chain === 'rejected') return { kind: 'not_signed', why: 'cancelled' }
  if (chain === 'pending') return { kind: 'not_signed', why: 'wallet_pending' }
  if (chain === 'refused') return { kind: 'not_signed', why: 'wrong_chain' }
  if (!(await isAccount(provider, bill.from))) return { kind: 'not_signed', why: 'account_changed' }
  onSignature()
  const authorization = authorize(offer, bill.from, bill.validBefore)
  const params = [bill.from, JSON.stringify(typedData(offer, authorization))]
  const signature = await provider.request({ method: 'eth_signTypedData_v4', params }).catch((error: unknown) => {
    if (walletTrouble(error) === 'pending') return null
    return undefined
  })
  if (signature === null) return { kind: 'not_signed', why: 'wallet_pending' }
  if (typeof signature !== 'string') return { kind: 'not_signed', why: 'cancelled' }
  if (!(await isAccount(provider, bill.from))) return { kind: 'not_signed', why: 'account_changed' }
  return {
    kind: 'signed',
    payment: toPayment(wish, bill, offer, paymentHeader(bill.quote, offer, authorization, signature)),
  }
}

async function isAccount(provider: Provider, address: string): Promise<boolean> {
  const now = firstAccount(await provider.request({ method: 'eth_accounts' }).catch(() => null))
  return now !== null && sameAddress(now, address)
}

function toPayment(wish: Wish, bill: Bill, offer: Offer, header: string): SignedPayment {
  return {
    payer: bill.from.toLowerCase(),
    header,
    body: requestBody(wish),
    label: {
      model: wish.model,
      modelName: wish.modelName,
      task: wish.task,
      amount: fromAtomic(offer.amount, decimalsOf(offer)),
      symbol: symbolOf(offer),
      network: offer.network,
      estimatedSeconds: wish.estimatedSeconds,
    },
    signedAtMs: Date.now(),
  }
}

/** Sends a signed payment and asks for the event stream. */
export async function sendPayment(payment: SignedPayment, signal: AbortSignal): Promise<Response> {
  const headers = { ...(await writeHeaders()), accept: 'text/event-stream', 'payment-signature': payment.header }
  return call('/api/inference', { method: 'POST', headers, body: payment.body, signal })
}

/** The payer's balance of the offered asset in atomic units, or null where the wallet stands on another chain or will not say. */
export async function balanceFor(provider: Provider, offer: Offer, owner: string): Promise<bigint | null> {
  try {
    if ((await currentChain(provider)) !== offer.chainId) return null
    return await readBalance(provider, offer.asset, owner)
  } catch (cause) {
    console.warn('coinslot: the wallet gave no balance', cause instanceof Error ? cause.message : '')
    return null
  }
}
