import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { nextFreePort } from '../process/ports.ts'
import { supervise } from '../process/supervisor.ts'
import type { ServedWorker, ServeOptions } from './serve.ts'
import { writeWorkerEnv } from './worker-env.ts'

const ROOT = join(import.meta.dirname, '../..')
const FIRST_INSPECTOR_PORT = 9229
const START_TIMEOUT_MS = 60_000

export type WranglerOptions = Pick<
  ServeOptions,
  'env' | 'port' | 'dataDir' | 'logFile' | 'reaper' | 'onDeath' | 'onRestart'
> & {
  /** Called with each line that a developer wants to see: reloads, build errors and the worker's own output. */
  onLine(text: string): void
}

export interface WranglerDev extends ServedWorker {
  inspectorPort: number
}

/** Runs `wrangler dev`, which bundles the worker again at each save. Its variables come from a file outside the sources. */
export async function startWranglerDev(options: WranglerOptions): Promise<WranglerDev> {
  const { port, dataDir } = options
  const inspectorPort = await nextFreePort(FIRST_INSPECTOR_PORT)
  const envFile = join(dataDir, 'worker.env')
  await writeWorkerEnv(options.env, envFile)
  const cli = join(dirname(createRequire(import.meta.url).resolve('wrangler/package.json')), 'wrangler-dist/cli.js')
  const args = [cli, 'dev', '--config', join(ROOT, 'wrangler.toml'), '--env=', '--env-file', envFile]
  args.push('--ip', '127.0.0.1', '--port', String(port), '--inspector-port', String(inspectorPort))
  args.push('--persist-to', join(dataDir, 'wrangler'), '--show-interactive-dev-session=false')
  const process_ = await supervise({
    name: 'worker',
    logFile: options.logFile,
    reaper: options.reaper,
    startTimeoutMs: START_TIMEOUT_MS,
    launch: () => ({ command: process.execPath, args, env: wranglerEnv(dataDir) }),
    ready: (child, log) => {
      if (child.stderr) showLines(child.stderr, options.onLine)
      return untilReady(child.stdout, log, options.onLine)
    },
    onDeath: onceEach(options.onDeath),
    onRestart: (_nothing, pid) => options.onRestart?.(pid),
  })
  return {
    inspectorPort,
    get pid() {
      return process_.pid
    },
    kill: () => process_.kill(),
    stop: () => process_.stop(),
    tick: () => fireScheduled(port),
  }
}

/** Plain lines, and no calls to the network: no metrics, no update check, no location lookup. */
const wranglerEnv = (dataDir: string): NodeJS.ProcessEnv => ({
  ...process.env,
  CI: '1',
  NO_COLOR: '1',
  FORCE_COLOR: '0',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_LOG_PATH: join(dataDir, 'wrangler/logs'),
  WRANGLER_REGISTRY_PATH: join(dataDir, 'wrangler/registry'),
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_SEND_METRICS: 'false',
})

/**
 * A worker that throws while it loads ends wrangler at each retry, until the file is saved again. The same reason is reported once,
 * without the end of the log, whose lines were already shown.
 */
function onceEach(onDeath: WranglerOptions['onDeath']): (how: string) => void {
  let last = ''
  return (how) => {
    const [reason = ''] = how.split('\n')
    if (reason !== last) onDeath?.(reason)
    last = reason
  }
}

/** Resolves when wrangler serves for the first time. */
function untilReady(stdout: Readable | null, log: (text: string) => void, onLine: (text: string) => void) {
  return new Promise<void>((resolve, reject) => {
    if (stdout === null) return reject(new Error('no stdout'))
    createInterface({ input: stdout }).on('line', (line) => {
      log(`${line}\n`)
      if (line.includes('Ready on http')) resolve()
      const text = lineToShow(line)
      if (text !== null) onLine(text)
    })
  })
}

function showLines(stream: Readable, onLine: (text: string) => void): void {
  createInterface({ input: stream }).on('line', (line) => {
    const text = lineToShow(line)
    if (text !== null) onLine(text)
  })
}

/** Lines that repeat the stack's own output, and the worker's log entries, which are in its log file. */
const HIDDEN = [
  /^\s*$/,
  /^\[wrangler:info\] (Ready on|GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) /,
  /\{"level":"/,
  /^Using secrets defined in|^Your Worker has access|^Binding\s+Resource|^env\.[A-Z_0-9]+ /,
  /Starting local server|Reloading local server/,
  /Scheduled Workers are not automatically triggered|manually trigger a scheduled event|cdn-cgi\/local\/scheduled/,
  /For more details, see .*cron-triggers|^-+$|Logs were written to|please create an issue|newer version of Wrangler/,
  /The Workers runtime failed to start|^\s*Runtime stderr:|^\s*\{"timestamp":/,
]

/** The part of a line of wrangler that is shown, without colours; null for nothing. */
export function lineToShow(line: string): string | null {
  const text = stripVTControlCharacters(line).trimEnd()
  if (/Local server updated and ready/.test(text)) return 'worker reloaded'
  return HIDDEN.some((pattern) => pattern.test(text)) ? null : text
}

async function fireScheduled(port: number): Promise<void> {
  const url = `http://127.0.0.1:${port}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*`
  const response = await fetch(url, { signal: AbortSignal.timeout(120_000) })
  if ((await response.text()) !== 'ok') throw new Error('the scheduled job failed; the log of the worker says why')
}
