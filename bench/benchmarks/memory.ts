import { setTimeout as delay } from 'node:timers/promises'
import { startPostgres } from '../../test/helpers/postgres.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { memoryBytes } from '../measure/process.ts'
import { median, times } from '../measure/stats.ts'
import { startStubProcess } from '../stubs/start.ts'
import { REQUEST, type SignedInBuyer, serveCoinslot, signedInBuyer } from '../workerd/coinslot.ts'

const MEBIBYTE = 1024 * 1024
const CALLERS = 64
/** One call of so many is paid. */
const PAID_EVERY = 20
/** 500,000 calls in half an hour. */
const CALLS_PER_SECOND = 278
const DEFAULT_MINUTES = 2
const QUICK_SECONDS = 10
const SAMPLES = 120
/** The first samples are those of a worker that warms up. */
const MOST_WARM_SECONDS = 120
const MOST_GROWTH = 1.1
/** Rows of the table. */
const ROWS = 12

interface Sample {
  seconds: number
  calls: number
  mebibytes: number
}

export const memory: Benchmark = {
  name: 'memory',
  title: 'Memory of workerd under mixed load',
  async run({ quick, minutes, dir, say, defer }) {
    const postgres = await startPostgres()
    if (postgres === null) throw new Error('PostgreSQL is not installed')
    defer(postgres.close)
    const stubs = await startStubProcess({ fileBytes: 20_000, kind: 'image', databaseUrl: postgres.url })
    defer(stubs.stop)
    const ours = await serveCoinslot(stubs, dir)
    defer(ours.stop)
    const indexes = Array.from({ length: CALLERS }, (_, index) => index + 1)
    const buyers = await Promise.all(indexes.map((index) => signedInBuyer(ours.env, index)))
    const seconds = quick ? QUICK_SECONDS : (minutes ?? DEFAULT_MINUTES) * 60
    const curve = await measure(buyers, ours.pid, seconds)
    say(`${curve.at(-1)?.calls ?? 0} calls in ${seconds} s`)
    return {
      figures: [figureOf(curve, seconds)],
      notes: [
        `${CALLERS} signed-in callers make ${CALLS_PER_SECOND} calls a second for ${(seconds / 60).toFixed(1)} minutes: one of ${PAID_EVERY} is paid and leaves a file, the others are answered 402. Raw workerd, services that answer at once, PostgreSQL. Memory is resident. The figure compares the median of the last tenth with that of the tenth after the warm-up, which is the first two minutes, or the first third of a run below six minutes. \`npm run bench -- memory --minutes 30\` makes 500,000 calls.`,
        tableOf(curve),
      ],
    }
  },
}

/** Has all callers call at a fixed rate, and reads the memory meanwhile. */
async function measure(buyers: readonly SignedInBuyer[], pid: number, seconds: number): Promise<Sample[]> {
  const began = performance.now()
  const end = began + seconds * 1000
  const every = (1000 * buyers.length) / CALLS_PER_SECOND
  let calls = 0
  const caller = async (buyer: SignedInBuyer, index: number): Promise<void> => {
    let due = began + (every * index) / buyers.length
    for (let turn = index; due < end; turn += 1, due += every) {
      await delay(Math.max(0, due - performance.now()))
      if (performance.now() >= end) return
      await callOnce(buyer, turn % PAID_EVERY === 0)
      calls += 1
    }
  }
  const curve: Sample[] = []
  const read = (): void => {
    const elapsed = (performance.now() - began) / 1000
    curve.push({ seconds: elapsed, calls, mebibytes: memoryBytes(pid) / MEBIBYTE })
  }
  const timer = setInterval(read, (seconds * 1000) / SAMPLES)
  try {
    await Promise.all(buyers.map(caller))
  } finally {
    clearInterval(timer)
  }
  read()
  return curve
}

async function callOnce(buyer: SignedInBuyer, isPaid: boolean): Promise<void> {
  const response = await (isPaid ? buyer.buy(REQUEST) : buyer.post(REQUEST))
  const text = await response.text()
  const expected = isPaid ? 200 : 402
  if (response.status !== expected) throw new Error(`expected ${expected}, got ${response.status}: ${text}`)
}

function figureOf(curve: readonly Sample[], seconds: number): Figure {
  const warm = Math.min(MOST_WARM_SECONDS, seconds / 3)
  const within = (from: number, to: number): number =>
    median(curve.filter((one) => one.seconds >= from && one.seconds < to).map(({ mebibytes }) => mebibytes))
  const [first, last] = [within(warm, warm + seconds / 10), within(seconds * 0.9, Number.POSITIVE_INFINITY)]
  return {
    figure: 'memory after the warm-up, and at the end',
    ours: `${first.toFixed(0)} MiB, ${last.toFixed(0)} MiB`,
    ratio: times(last / first),
    goal: `≤ ${MOST_GROWTH} ×`,
    met: last / first <= MOST_GROWTH,
  }
}

/** The curve as a table in Markdown, with rows at equal distances. */
function tableOf(curve: readonly Sample[]): string {
  const step = Math.max(1, Math.floor(curve.length / ROWS))
  const shown = curve.filter((_, index) => index % step === 0)
  const rows = shown.map(({ seconds, calls, mebibytes }) => {
    return `| ${(seconds / 60).toFixed(1)} | ${calls.toLocaleString('en')} | ${mebibytes.toFixed(0)} |`
  })
  return ['| minutes | calls | MiB |', '|---|---|---|', ...rows].join('\n')
}
