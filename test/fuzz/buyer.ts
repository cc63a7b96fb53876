import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import * as z from 'zod'
import type { StackInfo } from '../../dev/stack/stack-info.ts'

const ORDER = { task: 'text-to-text', model: 'meta/meta-llama-3-8b-instruct', input: { prompt: 'one word, please' } }
const VALID_SECONDS = 800
const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

const address = z.templateLiteral(['0x', z.string()])
const entrySchema = z.looseObject({
  network: z.string(),
  asset: address,
  amount: z.string(),
  payTo: address,
  extra: z.looseObject({ name: z.string(), version: z.string() }),
})
const challengeSchema = z.looseObject({ accepts: z.array(entrySchema).min(1) })

/** A wallet that is signed in, with the headers of its calls. */
export interface FuzzBuyer {
  headers: Record<string, string>
  order: Buffer
  /** The message and signature of a sign-in that was used already. */
  signIn: Buffer
  /** A payment of the present price less `short` units, as a header. Only with 0 can it buy. */
  payment(short: bigint): Promise<{ header: string; amount: bigint }>
}

/** Signs the wallet in. Throws when the service does not let it. */
export async function openBuyer(facts: StackInfo, privateKey: Hex): Promise<FuzzBuyer> {
  const account = privateKeyToAccount(privateKey)
  const cookies = new Map<string, string>()
  const { origin, chainId } = facts
  const order = JSON.stringify(ORDER)

  async function call(path: string, body?: string): Promise<Response> {
    const response = await fetch(origin + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers(), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return response
  }
  const headers = (): Record<string, string> => ({
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-csrf-token': cookies.get('csrf') ?? '',
  })

  const { nonce } = z.object({ nonce: z.string() }).parse(await (await call('/api/auth/nonce')).json())
  const domain = new URL(origin).host
  const message = createSiweMessage({ address: account.address, chainId, domain, nonce, uri: origin, version: '1' })
  const signIn = JSON.stringify({ message, signature: await account.signMessage({ message }) })
  const answer = await call('/api/auth/verify', signIn)
  if (answer.status !== 200) throw refusal('sign-in', answer.status)

  async function payment(short: bigint): Promise<{ header: string; amount: bigint }> {
    const unpaid = await call('/api/inference', order)
    const encoded = unpaid.headers.get('payment-required') ?? ''
    await unpaid.body?.cancel()
    if (unpaid.status !== 402) throw refusal('price', unpaid.status)
    const required = challengeSchema.parse(JSON.parse(Buffer.from(encoded, 'base64').toString('utf8')))
    const accepted = entrySchema.parse(required.accepts[0])
    const amount = BigInt(accepted.amount) - short
    const authorization = {
      from: account.address,
      to: accepted.payTo,
      value: amount.toString(),
      validAfter: '0',
      validBefore: String(Math.floor(Date.now() / 1000) + VALID_SECONDS),
      nonce: generatePrivateKey(),
    }
    const signature = await account.signTypedData({
      domain: { ...accepted.extra, chainId, verifyingContract: accepted.asset },
      types,
      primaryType: 'TransferWithAuthorization',
      message: {
        ...authorization,
        value: amount,
        validAfter: 0n,
        validBefore: BigInt(authorization.validBefore),
      },
    })
    const payload = { ...required, payload: { authorization, signature }, accepted }
    return { header: Buffer.from(JSON.stringify(payload)).toString('base64'), amount }
  }

  return { headers: headers(), order: Buffer.from(order), signIn: Buffer.from(signIn), payment }
}

const refusal = (what: string, status: number): Error => {
  const cure = 'the stack counts requests; start it with `npm start -- --no-limits`, or give --own'
  return new Error(`no ${what}: ${status}${status === 429 ? `, ${cure}` : ''}`)
}
