import { type ChildProcess, spawn } from 'node:child_process'

export interface RunResult {
  code: number
  /** stdout and stderr as they came. */
  output: string
}

const running = new Set<ChildProcess>()

/** Runs a command of this project to its end. What it prints is kept, and shown only by whoever wants to. */
export function run(command: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<RunResult> {
  return new Promise((resolve) => {
    const [program = '', ...args] = command
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, CI: '1', NO_COLOR: '1', FORCE_COLOR: undefined, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    running.add(child)
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

/** Ends whatever still runs, with everything that it started. */
export function killRunning(): void {
  for (const { pid } of running) {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGTERM')
    } catch {
      // It ended in this very moment.
    }
  }
}
