import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Benchmark } from '../benchmark.ts'
import { median, summary } from '../measure/stats.ts'

const ROOT = join(import.meta.dirname, '../..')
const MOST_START_MS = 10_000

export const start: Benchmark = {
  name: 'start',
  title: 'The start',
  async run({ quick }) {
    // The first start bundles the worker and builds the site; from then on they are there.
    await startOnce()
    const samples: number[] = []
    for (let round = 0; round < (quick ? 1 : 5); round += 1) samples.push(await startOnce())
    return {
      figures: [
        {
          figure: '`npm start`, installed and built, to ready',
          ours: summary(
            samples.map((ms) => ms / 1000),
            's',
            1,
          ),
          goal: `≤ ${MOST_START_MS / 1000} s`,
          met: median(samples) <= MOST_START_MS,
        },
      ],
      notes: ['From the command to its ready line: chain, contracts, facilitator, database, store, provider, worker.'],
    }
  },
}

/** Milliseconds from `npm start` to its ready line. */
async function startOnce(): Promise<number> {
  const began = performance.now()
  const child = spawn('npm', ['start', '--silent', '--', '--json', '--quiet'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{"ready":true')) continue
    const ms = performance.now() - began
    child.kill('SIGTERM')
    await once(child, 'close')
    return ms
  }
  throw new Error('npm start ended before it was ready')
}
