import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Reaper } from './reaper.ts'

export interface Launch {
  command: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  /** Opens one more pipe, on which the process reports that it listens. */
  controlPipe?: boolean
}

export interface SupervisedOptions<Info> {
  name: string
  /** How to start it. `previous` is the info of the last run, so that it starts on the same port. */
  launch(previous: Info | undefined): Launch
  /** Resolves when it serves. If it rejects or the process ends first, the start has failed. */
  ready(child: ChildProcess, log: (text: string) => void): Promise<Info>
  logFile: string
  reaper: Reaper
  startTimeoutMs?: number
  /** The process ended and is started again. */
  onDeath?(how: string): void
  /** The process serves again. */
  onRestart?(info: Info, pid: number): void
}

export interface Supervised<Info> {
  readonly info: Info
  readonly pid: number
  /** Sends SIGKILL. The process is then started again. */
  kill(): void
  /** Ends it: SIGTERM, and after 5 s SIGKILL to its process group. */
  stop(): Promise<void>
}

interface Run<Info> {
  child: ChildProcess
  pid: number
  info: Info
  ended: Promise<string>
}

const RETRY_DELAYS_MS = [0, 100, 300, 1_000, 2_000]

/** Starts a process in its own group, and again whenever it ends. Throws if the first start fails. */
export async function supervise<Info>(options: SupervisedOptions<Info>): Promise<Supervised<Info>> {
  let run = await startOnce(options, undefined)
  let stopping = false
  let loop: Promise<void> = Promise.resolve()

  const watch = async (): Promise<void> => {
    let failures = 0
    while (!stopping) {
      const how = await run.ended
      if (stopping) return
      options.onDeath?.(how)
      while (!stopping) {
        const delay = RETRY_DELAYS_MS[Math.min(failures, RETRY_DELAYS_MS.length - 1)] ?? 0
        if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
        const next = await startOnce(options, run.info).catch((error: unknown) => {
          options.onDeath?.(error instanceof Error ? error.message : String(error))
          return null
        })
        failures = next ? 0 : failures + 1
        if (!next) continue
        run = next
        options.onRestart?.(run.info, run.pid)
        break
      }
    }
  }
  loop = watch()

  return {
    get info() {
      return run.info
    },
    get pid() {
      return run.pid
    },
    kill: () => signalGroup(run.pid, 'SIGKILL'),
    stop: async () => {
      stopping = true
      run.child.kill('SIGTERM')
      const timer = setTimeout(() => signalGroup(run.pid, 'SIGKILL'), 5_000)
      await Promise.all([run.ended, loop])
      clearTimeout(timer)
    },
  }
}

async function startOnce<Info>(options: SupervisedOptions<Info>, previous: Info | undefined): Promise<Run<Info>> {
  const { command, args, env, controlPipe } = options.launch(previous)
  const log = createWriteStream(options.logFile, { flags: 'a' })
  const stdio = ['pipe', 'pipe', 'pipe', ...(controlPipe ? (['pipe'] as const) : [])] as const
  const child = spawn(command, args, { env, stdio: [...stdio], detached: true })
  child.stdin?.on('error', () => undefined)
  child.stderr?.pipe(log, { end: false })
  const { pid } = child
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => {
      resolve(signal ? `killed by ${signal}` : `exit code ${code}`)
      if (pid === undefined) return
      // Its own children (anvil) end too, so that their ports are free for the next run.
      signalGroup(pid, 'SIGKILL')
      options.reaper.forget(pid)
    })
  })
  const logged = endWith(log, child)
  if (pid !== undefined) options.reaper.watch(pid)
  const timeoutMs = options.startTimeoutMs ?? 100_000
  let timer: NodeJS.Timeout | undefined
  const failure = new Promise<never>((_resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`${options.name} did not start: ${why}`))
    ended.then(fail)
    timer = setTimeout(() => fail(`not ready after ${timeoutMs / 1_000} s`), timeoutMs)
  })
  try {
    const info = await Promise.race([options.ready(child, (text) => log.write(text)), failure])
    return { child, pid: pid ?? 0, info, ended }
  } catch (error) {
    if (pid !== undefined) signalGroup(pid, 'SIGKILL')
    await logged
    const tail = await logTail(options.logFile)
    throw tail === '' ? error : new Error(`${messageOf(error)}\n${tail}`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** Ends the log after the last output of the process, which may be read after its end. Resolves when all is written. */
async function endWith(log: WriteStream, { pid, stdout, stderr }: ChildProcess): Promise<void> {
  const written = once(log, 'close')
  if (pid !== undefined) await Promise.all([stdout, stderr].map((output) => output !== null && once(output, 'close')))
  log.end()
  await written
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has already ended.
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function logTail(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.trimEnd().split('\n').slice(-15).join('\n')
}
