import * as z from 'zod'
import type { Problems } from './problem.ts'
import type { Values } from './values.ts'

/** The answers of the reading calls. One function, so that an isolate that starts builds none of it. */
export function makeReadAnswers(v: Values, { failure }: Problems) {
  const Nonce = z.strictObject({ nonce: z.string().regex(/^[A-Za-z0-9]{16,}$/) })
  const Session = z.strictObject({ address: v.address.nullable(), chainId: z.int().nullable() })

  const Models = z.strictObject({
    models: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        task: v.task,
        tier: v.tier,
        locked: z.boolean().meta({ description: 'True only where this caller would be refused now.' }),
        lock: z
          .object({
            tier: v.tier,
            heldAic: v.aic,
            stakedAic: v.aic,
            met: z
              .boolean()
              .nullable()
              .meta({ description: 'Null for a caller who is signed out, or where the chain did not answer.' }),
            enforced: z.boolean(),
          })
          .meta({ description: 'What the model takes, whether the caller has it, and whether it counts already.' }),
        description: z.string(),
        outputType: z.enum(['text', 'image', 'audio']),
        inputSchema: v.input.meta({ description: 'JSON Schema of `input`.' }),
        example: v.input,
        estimatedSeconds: z.number(),
        estimatedCostUsdc: v.usdc,
        available: z.boolean().meta({ description: 'False while the provider does not have it: a call is 503.' }),
        deprecatedAt: v.time.nullable(),
        replacedBy: z.string().nullable(),
      }),
    ),
  })

  const Account = z.strictObject({
    address: v.address,
    chainId: z.int(),
    stakedAic: v.aic.nullable().meta({ description: 'Null, here as below, while the chain cannot be asked.' }),
    heldAic: v.aic.nullable(),
    tier: v.tier,
    discountPct: v.pct,
    effectiveRateUsdc: v.rate,
    balances: z.strictObject({ usdc: v.usdc.nullable(), aic: v.aic.nullable() }),
    spent: z.strictObject({ usdc: v.usdc, aic: v.aic }),
  })

  const seconds = z.number().nullable()

  const Stats = z.strictObject({
    inferences: z.strictObject({ total: z.int(), succeeded: z.int(), failed: z.int() }),
    usdcSettled: v.usdc,
    aicSettled: v.aic,
    aicBurnedAmount: v.aic.nullable(),
    models: z.array(
      z.strictObject({
        id: z.string(),
        runs: z.int(),
        successRate: z.number(),
        p50Seconds: seconds,
        p95Seconds: seconds,
      }),
    ),
    days: z.array(z.strictObject({ date: z.iso.date(), runs: z.int() })),
    asOf: v.time,
  })

  const part = z.enum(['ok', 'error'])
  const Health = z
    .strictObject({ status: z.enum(['ok', 'degraded']), db: part, r2: part, replicate: part, timestamp: v.time })
    .meta({ description: '`r2` is the object storage, `replicate` the model provider.' })

  const list = <Item extends z.ZodType>(item: Item) => z.strictObject({ items: z.array(item) })

  const AdminPayments = list(
    z.strictObject({
      id: v.id,
      inferenceId: v.id,
      state: z.string(),
      reason: z.string().nullable(),
      payer: v.address,
      network: v.network,
      asset: v.address,
      amount: v.atomic,
      transaction: v.transaction.nullable(),
      task: v.task,
      model: z.string(),
      predictionId: z.string().nullable(),
      attempts: z.int(),
      nextAttemptAt: v.time.nullable(),
      createdAt: v.time,
      updatedAt: v.time,
      settledAt: v.time.nullable(),
      rerunAt: v.time.nullable(),
      resolvedAt: v.time.nullable(),
      resolution: z.string().nullable(),
    }),
  )

  const AdminInferences = list(
    z.strictObject({
      id: v.id,
      status: v.status,
      owner: v.address,
      task: v.task,
      model: z.string(),
      error: failure.nullable(),
      estimatedCostUsdc: v.usdc,
      actualCostUsdc: v.usdc.nullable(),
      predictTimeMs: z.int().nullable(),
      transaction: v.transaction.nullable(),
      chainId: z.int().nullable(),
      createdAt: v.time,
      completedAt: v.time.nullable(),
    }),
  )

  const latency = z.strictObject({
    calls: z.int(),
    failures: z.int(),
    p50Ms: z.int().nullable(),
    p95Ms: z.int().nullable(),
  })

  const AdminMetrics = z.strictObject({
    payments: z.record(z.string(), z.int()).meta({ description: 'How many are in each state.' }),
    oldestUnfinished: z
      .strictObject({ inferenceId: v.id, state: z.string(), createdAt: v.time, ageSeconds: z.int() })
      .nullable(),
    overdueSeconds: z.int().meta({ description: 'How late the next look at the journal is.' }),
    peers: z
      .record(z.string(), latency)
      .meta({ description: 'Calls of the isolate that answers, the latest of each peer.' }),
    down: z.array(z.enum(['provider', 'store'])),
    asOf: v.time,
  })

  const Service = z.strictObject({
    name: z.string(),
    origin: z.url(),
    networks: z.array(
      z.strictObject({
        network: v.network,
        chainId: z.int(),
        name: z.string(),
        usdc: v.address,
      }),
    ),
    payTo: v.address,
    receipts: z
      .strictObject({ signer: v.address, domain: v.input, primaryType: z.string(), types: v.input })
      .nullable()
      .meta({ description: 'Null where the deployment signs no receipts.' }),
    links: z.record(z.string(), z.string()),
  })

  const X402Discovery = z.strictObject({
    version: z.literal(1),
    x402Version: z.literal(2),
    resources: z.array(z.url()),
    instructions: z.string(),
  })

  const X402Catalogue = z.strictObject({
    x402Version: z.literal(2),
    lastUpdated: v.time,
    items: z.array(
      z.strictObject({
        resource: z.url(),
        type: z.literal('http'),
        accepts: z.array(v.input),
        input: v.input,
        output: v.input,
        requires: z.array(z.string()),
      }),
    ),
  })

  return {
    Nonce,
    Session,
    Models,
    Account,
    Stats,
    Health,
    AdminPayments,
    AdminInferences,
    AdminMetrics,
    Service,
    X402Discovery,
    X402Catalogue,
  }
}
