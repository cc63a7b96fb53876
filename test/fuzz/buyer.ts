import type { Hex } from 'viem'
import * as z from 'zod'
import type { StackInfo } from '../../dev/stack/stack-info.ts'
import { type Buyer, makeBuyer } from '../helpers/buyer.ts'
import { decodeHeader, encodeHeader } from '../helpers/sign-payment.ts'
import { siweText } from '../helpers/siwe.ts'

const REQUEST = { task: 'text-to-text', model: 'meta/meta-llama-3-8b-instruct', input: { prompt: 'one word, please' } }
const VALID_SECONDS = 800

/** A wallet that is signed in, with the headers of its calls. */
export interface FuzzBuyer {
  headers: Record<string, string>
  /** The body of the request that it buys. */
  body: Buffer
  /** The message and signature of a sign-in that was used already. */
  signIn: Buffer
  /** `SIGN-IN-WITH-X` headers: one for a purchase, one for reads, and several that are signed but of something else. */
  proofs: { buys: string; reads: string; foreign: readonly string[] }
  /** A payment of the present price less `short` units, as a header. Only with 0 can it buy. */
  payment(short: bigint): Promise<{ header: string; amount: bigint }>
}

/** Signs the wallet in. Throws when the service refuses it. */
export async function openBuyer({ origin, chainId }: StackInfo, privateKey: Hex): Promise<FuzzBuyer> {
  const buyer = makeBuyer({ fetch, origin, chainId, privateKey })
  const signIn = await buyer.signInBody()
  const { status } = await buyer.call('/api/auth/verify', { method: 'POST', body: signIn })
  if (status !== 200) {
    const hint = status === 429 ? ': start the stack with `npm start -- --no-limits`, or use --own' : ''
    throw new Error(`The sign-in was answered with ${status}${hint}`)
  }
  return {
    headers: buyer.cookies.headers,
    body: Buffer.from(JSON.stringify(REQUEST)),
    signIn: Buffer.from(signIn),
    proofs: await signProofs(buyer, origin, chainId),
    async payment(short) {
      const required = await buyer.quote(REQUEST)
      const amount = BigInt(required.accepts[0]?.amount ?? 0) - short
      const validBefore = String(Math.floor(Date.now() / 1000) + VALID_SECONDS)
      return { header: await buyer.sign(required, { value: `${amount}`, validBefore }), amount }
    },
  }
}

const challengeSchema = z.object({
  extensions: z.object({ 'sign-in-with-x': z.object({ info: z.object({ nonce: z.string() }) }) }),
})

async function signProofs(buyer: Buyer, origin: string, chainId: number): Promise<FuzzBuyer['proofs']> {
  const signedOut = await fetch(new URL('/api/inference', origin), {
    method: 'POST',
    body: JSON.stringify(REQUEST),
    headers: { 'content-type': 'application/json' },
  })
  const { extensions } = challengeSchema.parse(decodeHeader(signedOut.headers.get('Payment-Required')))
  const { nonce } = extensions['sign-in-with-x'].info
  const { nonce: cookieNonce } = z
    .object({ nonce: z.string() })
    .parse(await (await buyer.call('/api/auth/nonce')).json())

  async function sign(path: string, change: { nonce?: string; origin?: string; chainId?: number } = {}) {
    const fields = { nonce, origin, chainId, issuedAt: new Date(), ...change }
    const info = { domain: new URL(fields.origin).host, uri: fields.origin + path, version: '1', nonce: fields.nonce }
    const message = siweText({ ...fields, ...info, address: buyer.account.address })
    return encodeHeader({
      ...info,
      issuedAt: fields.issuedAt.toISOString(),
      address: buyer.account.address,
      chainId: `eip155:${fields.chainId}`,
      type: 'eip191',
      signature: await buyer.account.signMessage({ message }),
    })
  }
  return {
    buys: await sign('/api/inference'),
    reads: await sign('/api/account'),
    foreign: [
      await sign('/api/inference', { nonce: cookieNonce }),
      await sign('/api/inference', { nonce: 'abcdefgh12345678' }),
      await sign('/api/inference', { origin: 'https://evil.example' }),
      await sign('/api/inference', { chainId: 1 }),
      await sign('/api/auth/verify'),
    ],
  }
}
