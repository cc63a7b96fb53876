import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const START_DEADLINE_MS = 120_000

/** Starts a stack in a process. Returns what it printed, and a function that stops it. */
export async function spawnStack(): Promise<{ line: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'serve-stack.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const line = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the local stack did not start')), START_DEADLINE_MS)
    child.once('exit', (code) => reject(new Error(`the local stack ended with ${code}`)))
    createInterface({ input: child.stdout }).once('line', (text) => {
      clearTimeout(timer)
      resolve(text)
    })
  })
  return {
    line,
    stop: async () => {
      child.stdin.end()
      await ended
    },
  }
}

/** Starts the stack and puts what it printed into the environment of every worker. Returns a function that stops it. */
export default async function start(): Promise<() => Promise<void>> {
  const { line, stop } = await spawnStack()
  process.env['COINSLOT_BROWSER_STACK'] = line
  return stop
}
