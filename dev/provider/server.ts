import { createServer } from 'node:http'
import * as z from 'zod'
import { servedModels } from '../engines/models.ts'
import { startEngines } from '../engines/pool.ts'
import { listen, type RunningService } from '../process/service.ts'
import { startFiles } from './files.ts'
import { present } from './present.ts'
import { answerFault, makeRequestListener } from './request-listener.ts'
import { createRuns, type Runs } from './runs.ts'
import { createScript } from './script.ts'
import { createStore, type Store } from './store.ts'
import { isTerminal } from './types.ts'
import { startWebhooks } from './webhooks.ts'

const SWEEP_MS = 60_000

export interface ProviderOptions {
  port?: number
  /** Keeps the runs (not their files) over a restart. Without it nothing is kept. */
  dir?: string
  /** Bearer token that calls must send. */
  token: string
  /** `whsec_<base64>` */
  webhookSecret: string
  /** An OpenAI-compatible server that writes the texts instead of the built-in engine. */
  localLlmUrl?: string
  /** Seed of runs without one. Default: random. */
  seed?: number
  /** 2 halves every wait. */
  speed?: number
  now?: () => number
}

/** Starts the provider: `url` is the API up to `/v1`, `filesUrl` where output files are served. */
export async function startProvider(options: ProviderOptions): Promise<RunningService & { filesUrl: string }> {
  const now = options.now ?? Date.now
  const script = createScript(options.speed ?? 1)
  const files = await startFiles((path, response) => answerFault(script.takeCall('file', path), response))
  const store = createStore({ now, dir: options.dir, dropFile: files.drop })
  const pool = startEngines(options.seed)
  const { localLlmUrl } = options
  const engines = localLlmUrl === undefined ? pool : { ...pool, stream: streamChat.bind(undefined, localLlmUrl) }
  const runs = createRuns({ store, files, engines, script, now })

  const server = createServer()
  const base = `${await listen(server, options.port)}/v1`
  const webhooks = startWebhooks({
    store,
    secret: options.webhookSecret,
    now,
    present: (record) => present(record, base),
  })
  const deps = { store, runs, script, now, webhookSecret: options.webhookSecret, base }
  server.on('request', makeRequestListener({ ...deps, token: options.token, webhookCounts: webhooks.counts }))
  resume(store, runs)
  // Expired runs release their files even if they are not read again.
  const sweep = setInterval(() => store.all(), SWEEP_MS).unref()

  return {
    url: base,
    filesUrl: files.url,
    async close() {
      clearInterval(sweep)
      runs.close()
      webhooks.close()
      files.close()
      server.closeAllConnections()
      server.close()
      await pool.close()
    },
  }
}

/** After a restart unfinished runs begin again. Finished ones have lost their files and report it. */
function resume(store: Store, runs: Runs): void {
  for (const record of store.all()) {
    const model = servedModels.get(record.model)
    if (isTerminal(record)) {
      if (record.files.length > 0) store.removeData(record)
    } else if (model) {
      store.update(record, { status: 'starting', startedAt: null, output: null, logs: '', files: [] })
      void runs.start(record, model, undefined)
    }
  }
}

const chunkSchema = z.object({
  choices: z.array(z.object({ delta: z.object({ content: z.string().nullish() }).optional() })),
})
const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })) })

/** Inputs with the same name and meaning on both sides. */
const PASSED_ON = ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty']

/** The pieces of a streamed answer of an OpenAI-compatible server (`POST …/chat/completions`). */
async function* streamChat(
  server: string,
  prompt: string,
  input: Record<string, unknown>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const base = server.replace(/\/+$/, '')
  const api = base.endsWith('/v1') ? base : `${base}/v1`
  const limit = input['max_tokens'] ?? input['max_completion_tokens']
  const system = input['system_prompt']
  const response = await fetch(`${api}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: await firstModel(api, signal),
      stream: true,
      messages: [
        ...(typeof system === 'string' && system !== '' ? [{ role: 'system', content: system }] : []),
        { role: 'user', content: prompt },
      ],
      ...(typeof limit === 'number' ? { max_tokens: limit } : {}),
      ...Object.fromEntries(PASSED_ON.flatMap((name) => (name in input ? [[name, input[name]]] : []))),
    }),
    signal,
  })
  if (!response.ok || !response.body) throw new Error(`the language model server answered ${response.status}`)
  for await (const line of lines(response.body)) {
    if (!line.startsWith('data:') || line.includes('[DONE]')) continue
    const piece = chunkSchema.parse(JSON.parse(line.slice(5))).choices[0]?.delta?.content
    if (piece) yield piece
  }
}

async function firstModel(api: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(`${api}/models`, { signal })
  const models = modelsSchema.safeParse(response.ok ? await response.json() : undefined)
  return models.data?.data[0]?.id ?? 'default'
}

async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    yield* parts
  }
  yield rest
}
