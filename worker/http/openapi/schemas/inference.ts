import * as z from 'zod'
import type { Problems } from './problem.ts'
import type { Values } from './values.ts'

/** The answers of the calls around an inference. One function, so that an isolate that starts builds none of it. */
export function makeInferenceAnswers(values: Values, { failure, nextAction, paymentState }: Problems) {
  const { address, atomic, hash, hex, id, input, network, status, task, time, transaction, usdc } = values

  const Estimate = z
    .strictObject({ estimatedCostUsdc: usdc, estimatedSeconds: z.number() })
    .meta({ examples: [{ estimatedCostUsdc: '0.010000', estimatedSeconds: 10 }] })

  const Output = z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('text'), text: z.string() }),
    z.strictObject({ type: z.literal('image'), urls: z.array(z.url()) }),
    z.strictObject({ type: z.literal('audio'), urls: z.array(z.url()) }),
  ])

  const Metrics = z.strictObject({
    predictTimeMs: z.int().nullable(),
    estimatedSeconds: z.number(),
    estimatedCostUsdc: usdc,
    actualCostUsdc: usdc.nullable(),
    paymentAsset: address,
    paymentAmount: atomic,
    paymentTxHash: transaction.nullable(),
    paymentNetwork: network,
  })

  const Refund = z
    .strictObject({
      status: z.enum(['owed', 'refunded']),
      refundedAt: time.nullable(),
      transaction: hash.nullable().meta({ description: 'On the payment’s network; null where none was noted.' }),
    })
    .meta({ description: 'Of a paid run that failed for good: the operator owes the payment, or has sent it back.' })

  const result = {
    id,
    status,
    output: Output.nullable(),
    metrics: Metrics,
    error: failure.optional(),
    refund: Refund.optional(),
  }
  const waiting = { statusUrl: z.string(), paymentState, nextAction }
  const request = { task, model: z.string(), createdAt: time, completedAt: time.nullable() }

  const Inference = z.strictObject(result).meta({
    examples: [
      {
        id: '7d7c8f0e-8a53-4b5c-9d0e-0c9b3f8f5a11',
        status: 'succeeded',
        output: { type: 'image', urls: ['https://cdn.example/i/5f0c/0.webp'] },
        metrics: {
          predictTimeMs: 1234,
          estimatedSeconds: 10,
          estimatedCostUsdc: '0.010000',
          actualCostUsdc: '0.001234',
          paymentAsset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
          paymentAmount: '10000',
          paymentTxHash: '0xb5ea881888b3c7584812fdf6e7beb16f71025e13744a2cb87305dd0ffb74f55e',
          paymentNetwork: 'eip155:8453',
        },
      },
    ],
  })
  const PendingInference = z.strictObject({ ...result, ...waiting })
  const InferenceRecord = z.strictObject({ ...result, ...request, input, ...z.object(waiting).partial().shape })
  const Prompt = z.string().meta({ description: 'Its first 200 characters.' })
  const InferencePage = z.strictObject({
    items: z.array(z.strictObject({ ...result, ...request, prompt: Prompt })),
    nextCursor: z.string().nullable(),
  })

  const Share = z.strictObject({ id, showsPrompt: z.boolean() })
  const SharedResult = z.strictObject({
    task,
    model: z.string(),
    prompt: z.string().nullable().meta({ description: 'Null where the owner does not show it.' }),
    output: Output.nullable(),
    aspectRatio: z.string().nullable().meta({
      description:
        'Width to height of its pictures as they were asked for, such as `16:9`. Null where the model has no such input.',
    }),
    predictTimeMs: z.int().nullable(),
    day: z.iso.date(),
  })

  /** EIP-712 data with its signature. */
  const Receipt = z.strictObject({
    domain: z.strictObject({ name: z.string(), version: z.string() }),
    types: z.strictObject({ Receipt: z.array(z.strictObject({ name: z.string(), type: z.string() })) }),
    primaryType: z.literal('Receipt'),
    message: z.strictObject({
      service: z.url(),
      id,
      payer: address,
      payTo: address,
      network,
      asset: address,
      amount: atomic,
      nonce: hash,
      transaction,
      task,
      model: z.string(),
      requestDigest: hash.meta({ description: 'SHA-256 of the body as RFC 8785 writes it.' }),
      outputDigests: z
        .array(hash)
        .meta({ description: "SHA-256 of each file's bytes, or of a text's UTF-8 bytes, in the order of the output." }),
      createdAt: time,
      completedAt: time,
    }),
    signer: address,
    signature: hex,
    outputUrls: z.array(z.url()),
  })

  return {
    Estimate,
    Output,
    Metrics,
    Inference,
    PendingInference,
    InferenceRecord,
    InferencePage,
    Share,
    SharedResult,
    Receipt,
  }
}
