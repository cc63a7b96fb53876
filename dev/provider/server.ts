import { createServer } from 'node:http'
import { servedModels } from '../engines/models.ts'
import { startEngines } from '../engines/pool.ts'
import { listen, type RunningService } from '../process/service.ts'
import { startFiles } from './files.ts'
import { streamChat } from './llm.ts'
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
