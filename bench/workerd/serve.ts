import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import * as z from 'zod'
import type { Bundle } from '../../dev/worker/bundle.ts'

export interface Served {
  pid: number
  origin: string
  /** Milliseconds from the start of the process to its first answer. */
  firstAnswerMs: number
  stop(): Promise<void>
}

export interface ServeOptions {
  bundle: Bundle
  /** A free port, chosen by the caller, since the worker's variables name it. */
  port: number
  /** Variables of the worker. */
  env: Record<string, string>
  /** Folder for the configuration file. */
  dir: string
  /** Names of bindings that count calls like Cloudflare's rate limits and allow all of them. */
  limiters?: readonly string[]
  /** Called until it resolves: then the process is up. Rejects while nothing listens. */
  probe(origin: string): Promise<unknown>
}

const binarySchema = z.object({ default: z.string() })

/** Serves a bundle in raw workerd with nothing in front of it: one process, one socket, what it logs thrown away. */
export async function serveRaw(options: ServeOptions): Promise<Served> {
  const { port, env, probe } = options
  const config = join(options.dir, `workerd-${port}.capnp`)
  await writeFile(config, configText(options))
  const binary = binarySchema.parse(createRequire(import.meta.url)('workerd')).default
  const origin = `http://127.0.0.1:${port}`
  const began = performance.now()
  const child = spawn(binary, ['serve', '--import-path=/', config], { env, stdio: 'ignore' })
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
  try {
    await untilAnswered(child, () => probe(origin))
  } catch (error) {
    await stop()
    throw error
  }
  return { pid: child.pid ?? 0, origin, firstAnswerMs: performance.now() - began, stop }
}

const TRY_EVERY_MS = 1
const START_TIMEOUT_MS = 30_000

async function untilAnswered(child: ChildProcess, ask: () => Promise<unknown>): Promise<void> {
  for (const end = performance.now() + START_TIMEOUT_MS; ; ) {
    try {
      await ask()
      return
    } catch (error) {
      if (child.exitCode !== null) throw new Error(`workerd ended with ${child.exitCode}`, { cause: error })
      if (performance.now() > end) throw new Error('workerd does not answer', { cause: error })
      await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS))
    }
  }
}

/** A limiter in the same isolate. It counts and allows every call, so a load is not cut off by a limit. */
const LIMITER = `export default () => {
  const counts = new Map()
  return {
    async limit({ key }) {
      counts.set(key, (counts.get(key) ?? 0) + 1)
      return { success: true }
    },
  }
}`

function configText({ bundle, port, env, limiters = [] }: ServeOptions): string {
  const quote = JSON.stringify
  const modules = [...bundle.modules]
    .filter((name) => name.endsWith('.js'))
    .map((name) => `(name = ${quote(name)}, esModule = embed ${quote(join(bundle.dir, name))})`)
  const bindings = [
    ...Object.keys(env).map((name) => `(name = ${quote(name)}, fromEnvironment = ${quote(name)})`),
    ...limiters.map((name) => `(name = ${quote(name)}, wrapped = (moduleName = "bench:limiter"))`),
  ]
  const flags = bundle.compatibilityFlags.map((flag) => quote(flag)).join(', ')
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [${modules.join(', ')}], compatibilityDate = ${quote(bundle.compatibilityDate)},
      compatibilityFlags = [${flags}], bindings = [${bindings.join(', ')}])),
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true)))
  ],
  sockets = [(name = "http", address = ${quote(`127.0.0.1:${port}`)}, http = (), service = "main")],
  extensions = [(modules = [(name = "bench:limiter", internal = true, esModule = ${quote(LIMITER)})])]
);
`
}
