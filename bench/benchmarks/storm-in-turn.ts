import { cpus } from 'node:os'
import { scriptProvider, startTestStack, type TestStack } from '../../test/helpers/stack.ts'
import type { BenchContext, BenchmarkResult } from '../benchmark.ts'
import { buyAll, ordersOf } from '../measure/orders.ts'
import { alternate, median, pairedRatios, percentile, ratioText, summary } from '../measure/stats.ts'

interface Side {
  stack: TestStack
  buyers: Awaited<ReturnType<TestStack['signedIn']>>[]
}

interface Sample {
  perSecond: number
  /** Median time of one purchase alone, in ms. */
  alone: number
  /** Payments in each transaction of the calls at once. */
  perTransaction: number
  /** Part of all processors' time that was not idle during the calls at once. */
  busy: number
}

interface Size {
  rounds: number
  calls: number
  atOnce: number
  single: number
}

/**
 * Two whole stacks, measured in turn: the facilitator with the batches of the default, and with one payment in each transaction.
 * Throws when a purchase of either fails, or when a payment is not on the chain.
 */
export async function stormInTurn({ quick, say, defer }: BenchContext, wallets: number): Promise<BenchmarkResult> {
  const size = quick
    ? { rounds: 1, calls: 60, atOnce: 20, single: 3 }
    : { rounds: 2, calls: 300, atOnce: 100, single: 10 }
  const start = async (shell: Record<string, string>): Promise<Side> => {
    const stack = await startTestStack({ buyers: wallets, shell })
    defer(stack.stop)
    // The local provider works on 32 runs at once: at a second each those would bound both sides.
    await scriptProvider(stack, { speed: 10 })
    const buyers = await Promise.all(stack.info.buyers.map((_, index) => stack.signedIn(index)))
    await buyAll(await ordersOf(buyers, size.atOnce, 'warm'), size.atOnce)
    return { stack, buyers }
  }
  const [batches, singly] = [await start({}), await start({ FACILITATOR_MAX_BATCH: '1' })]
  const take = async (name: string, side: Side): Promise<Sample> => {
    const sample = await measure(side, size)
    say(`${name}: ${sample.perSecond.toFixed(1)} /s, ${sample.alone.toFixed(0)} ms alone`)
    return sample
  }
  const samples = await alternate(
    size.rounds,
    () => take('in batches', batches),
    () => take('one in each transaction', singly),
  )
  return report(samples, size)
}

async function measure({ stack, buyers }: Side, { calls, atOnce, single }: Size): Promise<Sample> {
  const { latencies } = await buyAll(await ordersOf(buyers, single, 'walk alone'), 1)
  const orders = await ordersOf(buyers, calls, 'crowd')
  const settled = (await stack.transfers()).length
  const before = processorTime()
  const began = performance.now()
  await buyAll(orders, atOnce)
  const perSecond = calls / ((performance.now() - began) / 1000)
  const after = processorTime()
  const transfers = (await stack.transfers()).slice(settled)
  if (transfers.length !== calls) throw new Error(`${transfers.length} transfers of ${calls} purchases`)
  return {
    perSecond,
    alone: percentile(latencies, 50),
    perTransaction: calls / new Set(transfers.map(({ transactionHash }) => transactionHash)).size,
    busy: 1 - (after.idle - before.idle) / (after.all - before.all),
  }
}

/** Time of all processors since the machine's start, in ms. */
function processorTime(): { idle: number; all: number } {
  const each = cpus().map(({ times }) => times)
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  return { idle: sum(each.map(({ idle }) => idle)), all: sum(each.flatMap((times) => Object.values(times))) }
}

function report({ ours, theirs }: { ours: Sample[]; theirs: Sample[] }, size: Size): BenchmarkResult {
  const of = (samples: readonly Sample[], key: keyof Sample): number[] => samples.map((sample) => sample[key])
  const middle = (samples: readonly Sample[], key: keyof Sample): number => median(of(samples, key))
  const rate = pairedRatios(of(ours, 'perSecond'), of(theirs, 'perSecond'))
  const alone = pairedRatios(of(ours, 'alone'), of(theirs, 'alone'))
  const percent = (samples: readonly Sample[]): string => `${(middle(samples, 'busy') * 100).toFixed(0)} %`
  const perTransaction = (samples: readonly Sample[]): string => middle(samples, 'perTransaction').toFixed(1)
  const bound =
    middle(ours, 'busy') >= 0.85
      ? ' Chain, worker, database, provider and clients share these processors: with batches they bound what is sold, more than the chain does.'
      : ''
  return {
    figures: [
      {
        figure: `purchases per second, ${size.atOnce} at once; the baseline is one payment in each transaction`,
        ours: summary(of(ours, 'perSecond'), '/s'),
        baseline: summary(of(theirs, 'perSecond'), '/s'),
        ratio: ratioText(rate),
        goal: '≥ 3 ×',
        met: median(rate) >= 3,
      },
      {
        figure: 'time of one purchase alone, p50; the same baseline',
        ours: summary(of(ours, 'alone'), 'ms', 0),
        baseline: summary(of(theirs, 'alone'), 'ms', 0),
        ratio: ratioText(alone),
        goal: '≤ 1.1 ×',
        met: median(alone) <= 1.1,
      },
    ],
    notes: [
      `Batches are compared on two whole stacks, each with its own chain and one key, side by side and measured in turn, ${size.rounds} rounds of ${size.single} purchases one after another and ${size.calls} calls ${size.atOnce} at once: runs of a tenth of a second, the facilitator with its default, and with \`FACILITATOR_MAX_BATCH=1\`. During the calls at once a transaction settled ${perTransaction(ours)} payments, and ${perTransaction(theirs)}; the ${cpus().length} processors of the machine were ${percent(ours)} busy, and ${percent(theirs)}.${bound}`,
    ],
  }
}
