import * as z from 'zod'
import type { Values } from './values.ts'

/** The members of every problem, and those that a 402 adds. */
export function makeProblems({ address, atomic, id, network, time }: Values) {
  const paymentState = z
    .enum(['unused', 'in_flight', 'settled', 'unknown'])
    .meta({ description: 'What is known about your money.' })

  const nextAction = z
    .enum(['sign_in', 'sign_new_payment', 'retry_same_payment', 'poll', 'wait_and_retry', 'fix_request', 'give_up'])
    .meta({ description: 'What to do next.' })

  const failure = z.strictObject({ code: z.string(), detail: z.string() })

  const members = {
    type: z.string().regex(/^\/problems\//),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    requestId: id,
    nextAction: nextAction.optional(),
    paymentState: paymentState.optional(),
    errors: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
    statusUrl: z.string().optional(),
    retryAfterSeconds: z.int().optional(),
  }

  /** RFC 9457; a code may add its own members. */
  const Problem = z.looseObject(members)

  const requirements = z.strictObject({
    scheme: z.literal('exact'),
    network,
    asset: address,
    amount: atomic,
    payTo: address,
    maxTimeoutSeconds: z.int(),
    extra: z.strictObject({ name: z.string(), version: z.string(), paymentFlow: z.literal('upfront') }),
  })

  const quote = z
    .strictObject({ info: z.strictObject({ token: z.string(), expiresAt: time }), schema: z.strictObject({}) })
    .meta({ description: 'The signed price; echo it in the payment. Absent where nothing is sold.' })

  const signInWithX = z
    .strictObject({
      info: z.strictObject({
        domain: z.string(),
        uri: z.url(),
        statement: z.string(),
        version: z.literal('1'),
        nonce: z.string(),
        issuedAt: time,
        expirationTime: time,
      }),
      supportedChains: z.array(z.strictObject({ chainId: network, type: z.literal('eip191') })),
      schema: z.strictObject({}),
    })
    .meta({ description: 'What to sign to be signed in for one request: x402 extension sign-in-with-x.' })

  /** The `Payment-Required` header's JSON, and the members of the problem. */
  const PaymentRequired = z
    .strictObject({
      ...members,
      x402Version: z.literal(2),
      error: z.string(),
      resource: z.strictObject({
        url: z.url(),
        description: z.string(),
        mimeType: z.string(),
        serviceName: z.string().optional(),
        tags: z.array(z.string()).optional(),
      }),
      accepts: z.array(requirements),
      extensions: z.strictObject({
        quote: quote.optional(),
        'sign-in-with-x': signInWithX.optional(),
        'auth-hints': z.looseObject({}).optional(),
        'payment-identifier': z.looseObject({}).optional(),
        'offer-receipt': z.looseObject({}).optional().meta({
          description: 'Each entry of `accepts`, signed with the key of the receipts: x402 extension offer-receipt.',
        }),
        bazaar: z.looseObject({}).optional(),
      }),
    })
    .meta({ description: 'Sign one of `accepts` and send the same body again with `Payment-Signature`.' })

  const beside = { paymentState: paymentState.optional(), nextAction, statusUrl: z.string().optional() }
  const OpenaiError = z
    .strictObject({
      error: z.strictObject({
        message: z.string(),
        type: z.string(),
        code: z.string(),
        param: z.string().nullable(),
        ...beside,
      }),
      ...beside,
      accepts: z.array(requirements).optional(),
    })
    .meta({ description: "A problem as OpenAI's clients read it." })

  return { paymentState, nextAction, failure, Problem, PaymentRequired, OpenaiError }
}

export type Problems = ReturnType<typeof makeProblems>
