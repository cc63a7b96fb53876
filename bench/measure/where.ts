import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../dev/process/ports.ts'
import type { StubFacts } from '../stubs/start.ts'
import { bundleReadable } from '../workerd/bundle.ts'
import { type OurSide, serveCoinslot } from '../workerd/coinslot.ts'
import { profiled } from './profile.ts'

const SHOWN = 8

export interface WhereOptions {
  stubs: StubFacts
  dir: string
  /** The side that was measured. */
  ours: OurSide
  /** Makes so many calls on a side like it. */
  work(side: OurSide): Promise<number>
}

/**
 * A sentence on where the time of a call goes, by a profile of our worker that is taken apart from what is measured. Without a
 * profile it says why: the figures stand without it.
 */
export async function whereTimeGoes(options: WhereOptions): Promise<string> {
  try {
    return await sharesOf(options)
  } catch (error) {
    return `Where our time in JavaScript goes was not measured: ${String(error).split('\n', 1)[0]}`
  }
}

async function sharesOf({ stubs, dir, ours, work }: WhereOptions): Promise<string> {
  const inspectorPort = await freePort()
  const bundle = await bundleReadable(join(dir, 'readable'), ours.bundle)
  const side = await serveCoinslot(stubs, dir, { bundle, inspectorPort })
  try {
    await work(side)
    const code = await readFile(join(bundle.dir, 'index.js'), 'utf8')
    let calls = 0
    const owners = await profiled(inspectorPort, code, async () => {
      calls = await work(side)
    })
    const shares = owners.slice(0, SHOWN).map(([owner, share]) => `${owner} ${(share * 100).toFixed(0)} %`)
    return `Where our time in JavaScript goes, by a separate profile of ${calls} calls, with native code counted for its caller: ${shares.join(', ')}. What the runtime does around it (HTTP, sockets, its other threads) no such profile shows.`
  } finally {
    await side.stop()
  }
}
