import type { Hex } from 'viem'
import type { StackInfo } from '../../dev/stack/stack-info.ts'
import { makeBuyer } from '../helpers/buyer.ts'

const REQUEST = { task: 'text-to-text', model: 'meta/meta-llama-3-8b-instruct', input: { prompt: 'one word, please' } }
const VALID_SECONDS = 800

/** A wallet that is signed in, with the headers of its calls. */
export interface FuzzBuyer {
  headers: Record<string, string>
  order: Buffer
  /** The message and signature of a sign-in that was used already. */
  signIn: Buffer
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
    order: Buffer.from(JSON.stringify(REQUEST)),
    signIn: Buffer.from(signIn),
    async payment(short) {
      const required = await buyer.quote(REQUEST)
      const amount = BigInt(required.accepts[0]?.amount ?? 0) - short
      const validBefore = String(Math.floor(Date.now() / 1000) + VALID_SECONDS)
      return { header: await buyer.sign(required, { value: `${amount}`, validBefore }), amount }
    },
  }
}
