import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { findChromium } from '../../.ci/verify/chromium.ts'
import { freePort } from '../../dev/process/ports.ts'
import { loadSite } from '../../worker/node/site.ts'
import type { BenchContext, Benchmark, Figure } from '../benchmark.ts'
import { median, summary } from '../measure/stats.ts'
import { type PageScore, visit } from '../site/lighthouse.ts'
import { buildSite, MOST_BYTES, scriptBytes } from '../site/stages.ts'
import { startStubProcess } from '../stubs/start.ts'
import { serveCoinslot } from '../workerd/coinslot.ts'

const ROOT = join(import.meta.dirname, '../..')
const BASELINE = 'Next 16 with RainbowKit 2'

export const site: Benchmark = {
  name: 'site',
  title: 'Site',
  async run(context) {
    const dist = join(context.dir, 'site')
    await buildSite(dist)
    const bytes = Object.entries(await scriptBytes(dist)).map(([stage, value]): Figure => {
      const most = Object.entries(MOST_BYTES).find(([name]) => name === stage)?.[1] ?? null
      return {
        figure: `script, gzip, ${stage}`,
        ours: `${(value / 1000).toFixed(1)} kB`,
        ...(stage === 'first paint' && { baseline: '374 kB', ratio: `${(value / 374_000).toFixed(2)} ×` }),
        goal: most === null ? '–' : `≤ ${most / 1000} kB`,
        met: most === null ? null : value <= most,
      }
    })
    const chromium = await findChromium(ROOT)
    if (chromium === null) return { figures: bytes, notes: ['Lighthouse was left out: there is no Chromium here.'] }
    const origin = await serveSite(context, dist)
    const scores: PageScore[] = []
    for (let round = 0; round < (context.quick ? 1 : 5); round += 1) {
      scores.push(await visit(origin, { chromium, dir: context.dir }))
    }
    return { figures: [...bytes, ...scoreFigures(scores)], notes: [noteOf(scores.length)] }
  },
}

/** The built site with gzip, as Pages serves it, and our worker behind `/api`. */
async function serveSite({ dir, defer }: BenchContext, dist: string): Promise<string> {
  const stubs = await startStubProcess({ fileBytes: 1024, kind: 'image' })
  defer(stubs.stop)
  const worker = await serveCoinslot(stubs, dir)
  defer(worker.stop)
  const files = await loadSite(dist)
  if (files === null) throw new Error('the site was not built')
  const port = await freePort()
  const server = serve({
    hostname: '127.0.0.1',
    port,
    fetch: (request) => {
      const { pathname, search } = new URL(request.url)
      if (!pathname.startsWith('/api/')) return files(request)
      return fetch(worker.origin + pathname + search, { method: request.method })
    },
  })
  defer(() => void server.close())
  return `http://127.0.0.1:${port}/`
}

function scoreFigures(scores: readonly PageScore[]): Figure[] {
  const of = (name: keyof PageScore): number[] => scores.map((score) => score[name])
  return [
    {
      figure: 'Lighthouse, mobile, performance',
      ours: summary(of('score'), '', 2),
      baseline: '0.52',
      goal: '≥ 0.98',
      met: median(of('score')) >= 0.98,
    },
    {
      figure: 'largest contentful paint',
      ours: summary(of('lcpMs'), 'ms', 0),
      goal: '≤ 1600 ms',
      met: median(of('lcpMs')) <= 1600,
    },
    {
      figure: 'total blocking time',
      ours: summary(of('tbtMs'), 'ms', 0),
      goal: '≤ 50 ms',
      met: median(of('tbtMs')) <= 50,
    },
  ]
}

const noteOf = (rounds: number): string =>
  `The build for Pages, gzipped, from this machine, the worker behind \`/api\`. Lighthouse visits the front page as a phone on a slow line (its default), ${rounds} times. The baseline is the stock template of ${BASELINE}, measured once on such a machine; it is not built here. The budgets of the bytes are also checked by every build.`
