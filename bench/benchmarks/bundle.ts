import type { Benchmark, BenchmarkResult } from '../benchmark.ts'
import { alternate, median, pairedRatios, ratioText, summary, times } from '../measure/stats.ts'
import { startStubProcess } from '../stubs/start.ts'
import { bundleOf, serveBaseline } from '../workerd/baseline.ts'
import { bundleBytes } from '../workerd/bundle.ts'
import { serveCoinslot } from '../workerd/coinslot.ts'
import type { Served } from '../workerd/serve.ts'

const KIBIBYTE = 1024
const kib = (bytes: number): string => `${(bytes / KIBIBYTE).toFixed(1)} KiB`

export const bundle: Benchmark = {
  name: 'bundle',
  title: 'Bundle and start',
  async run({ quick, dir, defer }) {
    const stubs = await startStubProcess({ fileBytes: 1024, kind: 'image' })
    defer(stubs.stop)
    const rounds = quick ? 2 : 9
    // A first start of each bundles it and fills the file cache.
    const first = await serveCoinslot(stubs, dir)
    await first.stop()
    const [ours, theirs] = [first.bundle, await bundleOf('unpaid', dir, first.bundle)]
    const starts = await alternate(
      rounds,
      () => timeStart(() => serveCoinslot(stubs, dir)),
      () => timeStart(() => serveBaseline({ stubs, dir, bundle: theirs })),
    )
    const [ourBytes, baselineBytes] = [await bundleBytes(ours), await bundleBytes(theirs)]
    return resultOf(ourBytes, baselineBytes, starts.ours, starts.theirs)
  },
}

async function timeStart(start: () => Promise<Served>): Promise<number> {
  const side = await start()
  await side.stop()
  return side.firstAnswerMs
}

type Bytes = Awaited<ReturnType<typeof bundleBytes>>

const resultOf = (ours: Bytes, baseline: Bytes, ourMs: number[], baselineMs: number[]): BenchmarkResult => ({
  figures: [
    {
      figure: 'bundle, minified, gzip',
      ours: kib(ours.gzip),
      baseline: kib(baseline.gzip),
      ratio: times(ours.gzip / baseline.gzip),
      goal: '≤ 265 KiB',
      met: ours.gzip <= 265 * KIBIBYTE,
    },
    {
      figure: 'bundle, minified',
      ours: kib(ours.bytes),
      baseline: kib(baseline.bytes),
      ratio: times(ours.bytes / baseline.bytes),
      goal: '–',
      met: null,
    },
    {
      figure: 'process start to first 402',
      ours: summary(ourMs, 'ms', 0),
      baseline: summary(baselineMs, 'ms', 0),
      ratio: ratioText(pairedRatios(ourMs, baselineMs)),
      goal: '≤ 1.6 × the baseline',
      met: median(pairedRatios(ourMs, baselineMs)) <= 1.6,
    },
  ],
  notes: [
    `Ours is the whole service: sign-in, journal, models, staking, receipts, the documentation of the API. The baseline is \`@x402/hono\` with one route and no database, no sign-in and no provider. Both come out of \`wrangler deploy --dry-run --minify\`. The time runs from the start of the workerd process to the end of the first 402, which for ours includes its one look at the database and at the facilitator; ${ourMs.length} starts of each in turn. \`npm run bench -- bytes\` says which package weighs what.`,
  ],
})
