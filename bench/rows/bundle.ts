import type { Benchmark, BenchmarkResult } from '../benchmark.ts'
import { alternate } from '../measure/alternate.ts'
import { median, summary, times } from '../measure/stats.ts'
import { startPeers } from '../stubs/start.ts'
import { bundleBytes } from '../workerd/bundle.ts'
import { serveCoinslot } from '../workerd/coinslot.ts'
import { bundleOf, servePeer } from '../workerd/peer.ts'
import type { Served } from '../workerd/serve.ts'

const KIBIBYTE = 1024
const kib = (bytes: number): string => `${(bytes / KIBIBYTE).toFixed(1)} KiB`

export const bundle: Benchmark = {
  name: 'bundle',
  title: 'Bundle and start',
  async run({ quick, dir, defer }) {
    const peers = await startPeers({ fileBytes: 1024, kind: 'image' })
    defer(peers.stop)
    const rounds = quick ? 2 : 9
    // A first start of each bundles it and fills the file cache.
    const first = await serveCoinslot(peers, dir)
    await first.stop()
    const [ours, theirs] = [first.bundle, await bundleOf('unpaid', dir, first.bundle)]
    const starts = await alternate(
      rounds,
      () => timeStart(() => serveCoinslot(peers, dir)),
      () => timeStart(() => servePeer({ peers, dir, bundle: theirs })),
    )
    const [ourBytes, peerBytes] = [await bundleBytes(ours), await bundleBytes(theirs)]
    return resultOf(ourBytes, peerBytes, starts.ours, starts.peers)
  },
}

async function timeStart(start: () => Promise<Served>): Promise<number> {
  const side = await start()
  await side.stop()
  return side.firstAnswerMs
}

type Bytes = Awaited<ReturnType<typeof bundleBytes>>

const resultOf = (ours: Bytes, peer: Bytes, ourMs: number[], peerMs: number[]): BenchmarkResult => ({
  figures: [
    {
      figure: 'bundle, minified, gzip',
      ours: kib(ours.gzip),
      peer: kib(peer.gzip),
      ratio: times(ours.gzip / peer.gzip),
      goal: '≤ 220 KiB',
      met: ours.gzip <= 220 * KIBIBYTE,
    },
    {
      figure: 'bundle, minified',
      ours: kib(ours.bytes),
      peer: kib(peer.bytes),
      ratio: times(ours.bytes / peer.bytes),
      goal: '–',
      met: null,
    },
    {
      figure: 'process start to first 402',
      ours: summary(ourMs, 'ms', 0),
      peer: summary(peerMs, 'ms', 0),
      ratio: times(median(ourMs) / median(peerMs)),
      goal: '≤ 100 ms',
      met: median(ourMs) <= 100,
    },
  ],
  notes: [
    `Ours is the whole service: sign-in, journal, models, staking, receipts, the documentation of the API. The peer is \`@x402/hono\` with one route and no database, no sign-in and no provider. Both come out of \`wrangler deploy --dry-run --minify\`. The time runs from the start of the workerd process to the end of the first 402, which for ours includes its one look at the database and at the facilitator; ${ourMs.length} starts of each in turn. \`npm run bytes\` says which package weighs what. The start is V8 reading all of it and running what runs at once: Neon's driver, which sets up its PostgreSQL client although only its HTTP function is used, and the schemas.`,
  ],
})
