import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Benchmark } from '../benchmark.ts'
import { forgetPeak, memoryBytes, peakMemoryBytes } from '../measure/process.ts'
import { alternate, median, summary, times } from '../measure/stats.ts'
import { type StubProcess, startStubProcess } from '../stubs/start.ts'
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
    const stubs = await startStubProcess({ fileBytes: FILE_BYTES, kind: 'sound', pglite: true })
    defer(stubs.stop)
    const ours = await serveCoinslot(stubs, dir)
    defer(ours.stop)
    const buyer = await signedInBuyer(ours.env)
    for (let call = 0; call < WARM_CALLS; call += 1) await buyOnce(ours, buyer, stubs)
    const copies = await alternate(
      quick ? 2 : 7,
      () => buyOnce(ours, buyer, stubs),
      () => pipeOnce(stubs),
    )
    const [ourMs, curlMs] = [copies.ours.map(({ ms }) => ms), copies.theirs]
    const grown = copies.ours.map(({ grownBytes }) => grownBytes / MEBIBYTE)
    const ratio = median(ourMs) / median(curlMs)
    return {
      figures: [
        {
          figure: 'time of the copy',
          ours: summary(ourMs, 'ms', 0),
          baseline: summary(curlMs, 'ms', 0),
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
        'A paid call whose run left 20 MiB, after three to warm up; the time is what provider and store see, from the request for the file to the end of its upload. The baseline is `curl` piped into `curl -T`, in turn with ours: two processes on two processors, where a worker reads and writes in one thread. The growth is the peak of resident memory during the call over what was held before it.',
      ],
    }
  },
}

async function buyOnce(ours: OurSide, buyer: SignedInBuyer, stubs: StubProcess): Promise<Copy> {
  const before = memoryBytes(ours.pid)
  forgetPeak(ours.pid)
  const response = await buyer.buy(SOUND_REQUEST)
  if (response.status !== 200) throw new Error(`expected 200, got ${response.status}: ${await response.text()}`)
  return { ms: (await stubs.counts()).copyMs, grownBytes: peakMemoryBytes(ours.pid) - before }
}

async function pipeOnce(stubs: StubProcess): Promise<number> {
  const pipe = `curl -sf "${stubs.url}/file" | curl -sf -T - "${stubs.storeUrl}/bucket/file"`
  await promisify(execFile)('sh', ['-c', pipe])
  return (await stubs.counts()).copyMs
}
