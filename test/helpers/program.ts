import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface ProgramOptions {
  /** Arguments of node, the script first. */
  args: readonly string[]
  env: Record<string, string>
  /** Default: the node that runs the tests. */
  node?: string
  /** The program that starts node, in place of it. */
  command?: readonly string[]
  cwd?: string
  /** Another user; needs root. */
  uid?: number
  gid?: number
}

/** A program of this repository in a separate process, with the JSON lines it writes. */
export interface Program {
  pid: number
  lines: Record<string, unknown>[]
  /** The first line, past or future, of that event. Rejects when the program ends without it. */
  event(name: string): Promise<Record<string, unknown>>
  kill(signal: NodeJS.Signals): void
  /** Exit code, or the signal's name. */
  ended: Promise<number | string>
}

/** Starts node with nothing but the given environment. */
export function startProgram({ args, env, node = process.execPath, command, ...place }: ProgramOptions): Program {
  const [file = node, ...before] = command ?? [node]
  const child = spawn(file, [...before, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...place,
  })
  const lines: Record<string, unknown>[] = []
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (text) => {
      lines.push(text.startsWith('{') ? JSON.parse(text) : { text })
      for (const listener of listeners) listener()
    })
  }
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? code ?? 'unknown'))
  })
  const event = (name: string): Promise<Record<string, unknown>> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const line = lines.find((candidate) => candidate['event'] === name)
        if (line !== undefined) resolve(line)
      }
      listeners.add(look)
      look()
      void ended.then((how) =>
        reject(new Error(`ended with ${how} before ${name}:\n${JSON.stringify(lines, null, 1)}`)),
      )
    })
  return { pid: child.pid ?? 0, lines, event, kill: (signal) => void child.kill(signal), ended }
}
