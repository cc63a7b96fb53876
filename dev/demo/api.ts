import * as z from 'zod'
import { TASKS } from './flags.ts'

/** What the API answers, as far as a buyer needs it. */
export const modelsSchema = z.object({
  models: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      task: z.enum(TASKS),
      tier: z.string(),
      locked: z.boolean(),
      inputSchema: z.object({ properties: z.record(z.string(), z.unknown()) }),
      example: z.record(z.string(), z.unknown()),
      estimatedSeconds: z.number(),
      estimatedCostUsdc: z.string(),
    }),
  ),
})
export type Model = z.infer<typeof modelsSchema>['models'][number]

const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/)])

export const acceptSchema = z.looseObject({
  scheme: z.string(),
  network: z.templateLiteral(['eip155:', z.string().regex(/^\d+$/)]),
  asset: address,
  amount: z.string().regex(/^[1-9]\d*$/),
  payTo: address,
  maxTimeoutSeconds: z.number(),
  extra: z.looseObject({ name: z.string(), version: z.string() }),
})
export type Accept = z.infer<typeof acceptSchema>

export const requiredSchema = z.object({
  x402Version: z.literal(2),
  resource: z.unknown(),
  accepts: z.tuple([acceptSchema], acceptSchema),
  extensions: z.record(z.string(), z.unknown()).optional(),
})
export type PaymentRequired = z.infer<typeof requiredSchema>

const metricsSchema = z.looseObject({
  predictTimeMs: z.number().nullable(),
  estimatedCostUsdc: z.string(),
  actualCostUsdc: z.string().nullable(),
  paymentAmount: z.string(),
  paymentTxHash: z.string().nullable(),
})

const resultSchema = z.looseObject({
  id: z.string(),
  status: z.enum(['pending', 'succeeded', 'failed']),
  output: z
    .union([
      z.object({ type: z.literal('text'), text: z.string() }),
      z.object({ type: z.enum(['image', 'audio']), urls: z.array(z.string()) }),
    ])
    .nullable(),
  metrics: metricsSchema,
})
export type Result = z.infer<typeof resultSchema>

/** Checks an answer and gives it back as it came, members in their order. */
export const asResult = z.custom<Result>((body) => resultSchema.safeParse(body).success, 'not the body of a result')

/** A status answer before a row exists has neither output nor figures. */
export const statusSchema = z.looseObject({ status: z.string(), paymentState: z.string().optional() })

export const problemSchema = z.looseObject({
  code: z.string(),
  detail: z.string().optional(),
  title: z.string().optional(),
  paymentState: z.string().optional(),
  statusUrl: z.string().optional(),
  retryAfterSeconds: z.number().optional(),
})
export type Problem = z.infer<typeof problemSchema>

/** The service said no. The message is for people. */
export class Refused extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail ?? problem.title ?? 'no detail'}`)
    this.name = 'Refused'
    this.problem = problem
  }
}

/** Reads an answer that is not the wished one as the problem that it should be. */
export async function refusalOf(response: Response): Promise<Refused> {
  const text = await response.text()
  const body: unknown = await Promise.resolve(text)
    .then(JSON.parse)
    .catch(() => null)
  const problem = problemSchema.safeParse(body)
  if (problem.success) return new Refused(problem.data)
  return new Refused({ code: `http_${response.status}`, detail: text.slice(0, 200) })
}
