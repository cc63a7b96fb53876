import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { join } from 'node:path'

export interface RunResult {
  code: number
  /** stdout and stderr in the order they were written. */
  output: string
}

/** `nice` of a command that only computes, beside tests that wait for blocks and deadlines. */
export const COMPUTING = 10

/** Time for a process to clean up after SIGTERM before it is killed. */
const STOP_MS = 15_000

const running = new Set<ChildProcess>()

interface RunOptions {
  env?: NodeJS.ProcessEnv
  /** From 0 to 19: how far its processes let others go first. */
  nice?: number | undefined
}

/** Runs a command of this project to its end and returns what it printed. */
export function run(command: readonly string[], cwd: string, { env, nice }: RunOptions = {}): Promise<RunResult> {
  return new Promise((resolve) => {
    const [program = '', ...args] = command
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...environment(cwd), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    running.add(child)
    if (nice !== undefined && child.pid !== undefined) setPriority(child.pid, nice)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    const end = (code: number): void => {
      running.delete(child)
      resolve({ code, output })
    }
    child.once('error', (error) => {
      output += error.message
      end(1)
    })
    child.once('close', (code) => end(code ?? 1))
  })
}

/**
 * The tests start hundreds of Node processes. They keep compiled modules by content and version, and collect young objects less
 * often: starting the facilitator takes a fifth less processor time.
 */
const environment = (root: string): NodeJS.ProcessEnv => ({
  CI: '1',
  NO_COLOR: '1',
  FORCE_COLOR: undefined,
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
  // The type checker is written in Go: it collects garbage less often, at the same peak of memory.
  GOGC: '400',
  NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --max-semi-space-size=64`.trim(),
})

/** Stops every command that still runs, with the processes it started: SIGTERM first, SIGKILL for those that stay. */
export function stopRunning(): void {
  const stopped = [...running]
  signalAll(stopped, 'SIGTERM')
  setTimeout(
    () =>
      signalAll(
        stopped.filter((child) => running.has(child)),
        'SIGKILL',
      ),
    STOP_MS,
  ).unref()
}

function signalAll(children: readonly ChildProcess[], signal: NodeJS.Signals): void {
  for (const { pid } of children) {
    try {
      if (pid !== undefined) process.kill(-pid, signal)
    } catch {
      // The process ended in the meantime.
    }
  }
}
