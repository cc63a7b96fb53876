import { neon, neonConfig } from '@neondatabase/serverless'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { drizzle } from 'drizzle-orm/neon-http'
import { Hono } from 'hono'
import * as z from 'zod'
import { inferences } from '../../db/schema/inferences.ts'
import { copyFile } from './copy-file.ts'
import { type BaselineEnv, x402Middleware } from './x402.ts'

interface Env extends BaselineEnv {
  FACILITATOR_URL: string
  PROVIDER_URL: string
  STORE_URL: string
  DATABASE_URL: string
  DATABASE_HTTP_URL: string
}

const requestSchema = z.object({
  task: z.literal('text-to-image'),
  model: z.string(),
  input: z.object({ prompt: z.string() }),
})
const runSchema = z.object({
  id: z.string(),
  status: z.literal('succeeded'),
  output: z.tuple([z.string()]),
  metrics: z.object({ predict_time: z.number() }),
})

/** The same sale as one would write it around the middleware: run, upload, one row, answer. */
const app = new Hono<{ Bindings: Env & Record<string, string> }>()
app.use(x402Middleware((env) => new HTTPFacilitatorClient({ url: env['FACILITATOR_URL'] ?? '' })))
app.post('/api/inference', async (c) => {
  const request = requestSchema.parse(await c.req.json())
  const id = crypto.randomUUID()
  const run = await startRun(c.env, request)
  const { url } = await copyFile(c.env.STORE_URL, run.output[0], `i/${id}/0.webp`)
  neonConfig.fetchEndpoint = c.env.DATABASE_HTTP_URL
  await drizzle(neon(c.env.DATABASE_URL))
    .insert(inferences)
    .values({
      id,
      userAddress: c.env.PAY_TO.toLowerCase(),
      taskType: request.task,
      model: request.model,
      input: request.input,
      outputType: 'image',
      outputData: { urls: [url] },
      status: 'succeeded',
      predictTimeMs: Math.round(run.metrics.predict_time * 1000),
      estimatedCostUsdc: '0.010000',
      actualCostUsdc: '0.001234',
      completedAt: new Date(),
    })
  return c.json({ id, status: 'succeeded', output: { type: 'image', urls: [url] } })
})

async function startRun(env: Env, { model, input }: z.infer<typeof requestSchema>) {
  const response = await fetch(`${env.PROVIDER_URL}/predictions`, {
    method: 'POST',
    headers: { authorization: 'Bearer token', 'content-type': 'application/json', prefer: 'wait' },
    body: JSON.stringify({ version: model, input }),
  })
  return runSchema.parse(await response.json())
}

export default app
