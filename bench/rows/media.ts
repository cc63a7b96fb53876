import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Benchmark } from '../benchmark.ts'
import { alternate } from '../measure/alternate.ts'
import { forgetPeak, memoryBytes, peakMemoryBytes } from '../measure/process.ts'
import { median, summary, times } from '../measure/stats.ts'
import { type Peers, startPeers } from '../stubs/start.ts'
import { type OurSide, type SignedInBuyer, SOUND_REQUEST, serveCoinslot, signedInBuyer } from '../workerd/coinslot.ts'

const MEBIBYTE = 1024 * 1024
const FILE_BYTES = 20 * MEBIBYTE
const WARM_CALLS = 3

interface Copy {
  /** From the request for the file to the end of its upload, as the store sees it. */
  ms: number
  /** By how much the worker's memory was larger at its greatest. */
  grownBytes: number
}

export const media: Benchmark = {
  name: 'media',
  title: 'Media path, 20 MiB of sound',
  async run({ quick, dir, defer }) {
    const peers = await startPeers({ fileBytes: FILE_BYTES, kind: 'sound', pglite: true })
    defer(peers.stop)
    const ours = await serveCoinslot(peers, dir)
    defer(ours.stop)
    const buyer = await signedInBuyer(ours.env)
    for (let call = 0; call < WARM_CALLS; call += 1) await buyOnce(ours, buyer, peers)
    const copies = await alternate(
      quick ? 2 : 7,
      () => buyOnce(ours, buyer, peers),
      () => pipeOnce(peers),
    )
    const [ourMs, curlMs] = [copies.ours.map(({ ms }) => ms), copies.peers]
    const grown = copies.ours.map(({ grownBytes }) => grownBytes / MEBIBYTE)
    const ratio = median(ourMs) / median(curlMs)
    return {
      figures: [
        {
          figure: 'time of the copy',
          ours: summary(ourMs, 'ms', 0),
          peer: summary(curlMs, 'ms', 0),
          ratio: times(ratio),
          goal: '≤ 1.15 × of curl',
          met: ratio <= 1.15,
        },
        {
          figure: 'memory of workerd, growth at its peak',
          ours: summary(grown, 'MiB', 1),
          goal: '< 8 MiB',
          met: median(grown) < 8,
        },
      ],
      notes: [
        'A paid call whose run left 20 MiB, after three to warm up; the time is what provider and store see, from the request for the file to the end of its upload. The peer is `curl` piped into `curl -T`, in turn with ours. The growth is the peak of resident memory during the call over what was held before it.',
      ],
    }
  },
}

async function buyOnce(ours: OurSide, buyer: SignedInBuyer, peers: Peers): Promise<Copy> {
  const before = memoryBytes(ours.pid)
  forgetPeak(ours.pid)
  const response = await buyer.buy(SOUND_REQUEST)
  if (response.status !== 200) throw new Error(`expected 200, got ${response.status}: ${await response.text()}`)
  return { ms: (await peers.counts()).copyMs, grownBytes: peakMemoryBytes(ours.pid) - before }
}

async function pipeOnce(peers: Peers): Promise<number> {
  const pipe = `curl -sf "${peers.url}/file" | curl -sf -T - "${peers.storeUrl}/bucket/file"`
  await promisify(execFile)('sh', ['-c', pipe])
  return (await peers.counts()).copyMs
}
