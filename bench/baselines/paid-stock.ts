import { decodePaymentSignatureHeader } from '@x402/core/http'
import { HTTPFacilitatorClient } from '@x402/core/server'
import Replicate from 'replicate'
import * as z from 'zod'
import { copyFile } from './copy-file.ts'
import { authorizationSchema, stockJournal } from './stock-journal.ts'
import { checkBody, stockApp } from './stock-parts.ts'
import { x402Middleware } from './x402.ts'

const runSchema = z.object({
  id: z.string(),
  status: z.literal('succeeded'),
  output: z.tuple([z.string()]),
  metrics: z.object({ predict_time: z.number() }),
})

/**
 * The paid call with the same duties from stock parts: session, token, body, a journal that is written before and after each
 * step, a run by the provider's own package, a copy of the file.
 */
const app = stockApp()
app.use(
  '/api/inference',
  checkBody,
  x402Middleware(
    (env) => new HTTPFacilitatorClient({ url: env['FACILITATOR_URL'] ?? '' }),
    (server, env) => {
      const journal = stockJournal(env)
      // The library only warns of a hook that throws, and settles. Without a row nothing may be settled.
      server.onBeforeSettle((context) =>
        journal.claim(context).catch((error) => ({ abort: true, reason: String(error) })),
      )
      server.onAfterSettle((context) => journal.settled(context, context.result.transaction))
    },
  ),
)
app.post('/api/inference', async (c) => {
  const request: unknown = await c.req.json()
  const { model, input } = z.object({ model: z.string(), input: z.record(z.string(), z.unknown()) }).parse(request)
  const header = decodePaymentSignatureHeader(c.req.header('payment-signature') ?? '')
  const { nonce } = authorizationSchema.parse(header.payload).authorization
  const journal = stockJournal(c.env)
  const run = await startRun(c.env['PROVIDER_URL'] ?? '', model, input)
  const row = await journal.running(nonce, run.id)
  const { url, bytes } = await copyFile(c.env['STORE_URL'] ?? '', run.output[0], `${row.objectKey}/0.webp`)
  const predictTimeMs = Math.round(run.metrics.predict_time * 1000)
  const digest = await sha256(bytes)
  await journal.done(nonce, row, { model, input, outputData: { urls: [url] }, predictTimeMs, digest })
  return c.json({ id: row.inferenceId, status: 'succeeded', output: { type: 'image', urls: [url] } })
})

async function startRun(baseUrl: string, model: string, input: object) {
  // workerd refuses a `fetch` that is called as a method of another object.
  const replicate = new Replicate({ auth: 'token', baseUrl, fetch: (url, init) => fetch(url, init) })
  return runSchema.parse(await replicate.predictions.create({ version: model, input, wait: true }))
}

async function sha256(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

export default app
