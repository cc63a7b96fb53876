import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../dev/stack/ports.ts'
import type { PeerFacts } from '../stubs/start.ts'
import { bundleReadable } from '../workerd/bundle.ts'
import { type OurSide, serveCoinslot } from '../workerd/coinslot.ts'
import { cpuSeconds } from './process.ts'
import { profiled } from './profile.ts'

const SHOWN = 8

export interface WhereOptions {
  peers: PeerFacts
  dir: string
  /** The side that was measured. */
  ours: OurSide
  /** Makes so many calls on a side like it. */
  work(side: OurSide): Promise<number>
}

/** A sentence on where the time of a call goes, by a profile of our worker that is taken apart from what is measured. */
export async function whereTimeGoes({ peers, dir, ours, work }: WhereOptions): Promise<string> {
  const inspectorPort = await freePort()
  const bundle = await bundleReadable(join(dir, 'readable'), ours.bundle)
  const side = await serveCoinslot(peers, dir, { bundle, inspectorPort })
  try {
    await work(side)
    const code = await readFile(join(bundle.dir, 'index.js'), 'utf8')
    const before = cpuSeconds(side.pid)
    let calls = 0
    const { ms, owners } = await profiled(inspectorPort, code, async () => {
      calls = await work(side)
    })
    const cpuMs = (cpuSeconds(side.pid) - before) * 1000
    const shares = owners.slice(0, SHOWN).map(([owner, share]) => `${owner} ${(share * 100).toFixed(0)} %`)
    return `Where our time goes, by a profile of ${calls} calls of their own: of ${(cpuMs / calls).toFixed(2)} ms a call (the profiler costs some of it), ${(ms / calls).toFixed(2)} are spent in JavaScript and in what it calls, the rest by the runtime's HTTP, its other threads and the kernel. Of the former: ${shares.join(', ')}; what native code does counts for who called it.`
  } finally {
    await side.stop()
  }
}
