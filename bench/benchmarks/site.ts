import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { findChromium } from '../../.ci/verify/chromium.ts'
import { freePort } from '../../dev/process/ports.ts'
import { startTestStack } from '../../test/helpers/stack.ts'
import { loadSite } from '../../worker/node/site.ts'
import type { BenchContext, Benchmark, Figure } from '../benchmark.ts'
import { median, summary } from '../measure/stats.ts'
import { type PageScore, visit } from '../site/lighthouse.ts'
import { type Opening, openSlowly } from '../site/slow-network.ts'
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
    const rounds = context.quick ? 1 : 5
    const origin = await serveSite(context, dist)
    const scores = await visitPage(origin, rounds, { chromium, dir: context.dir })
    const openings: Awaited<ReturnType<typeof openSlowly>>[] = []
    while (openings.length < rounds) openings.push(await openSlowly(origin, chromium))
    const stack = await startTestStack({ site: true })
    context.defer(stack.stop)
    const sale = await visitPage(`${stack.info.origin}/presale/`, rounds, { chromium, dir: context.dir })
    return {
      figures: [...bytes, ...scoreFigures(scores), ...slowFigures(openings), ...saleFigures(sale)],
      notes: [noteOf(rounds)],
    }
  },
}

/** The answer compressed, as Cloudflare does on the way to the browser. */
function gzipped(answer: Response): Response {
  const headers = new Headers(answer.headers)
  headers.delete('content-length')
  headers.set('content-encoding', 'gzip')
  const body = answer.body?.pipeThrough(new CompressionStream('gzip')) ?? null
  return new Response(body, { status: answer.status, headers: body === null ? answer.headers : headers })
}

async function visitPage(
  url: string,
  rounds: number,
  options: { chromium: string; dir: string },
): Promise<PageScore[]> {
  const scores: PageScore[] = []
  while (scores.length < rounds) scores.push(await visit(url, options))
  return scores
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
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      if (!pathname.startsWith('/api/')) return files(request)
      return gzipped(await fetch(worker.origin + pathname + search, { method: request.method }))
    },
  })
  defer(() => void server.close())
  return `http://127.0.0.1:${port}/`
}

const LEAST_SCORE = 0.98
const MOST_LCP_MS = 1600
const MOST_TBT_MS = 50
const MOST_USABLE_MS = 3000

/** A figure that must not be greater than its goal, in milliseconds. */
function atMost(figure: string, samples: readonly number[], goalMs: number): Figure {
  return { figure, ours: summary(samples, 'ms', 0), goal: `≤ ${goalMs} ms`, met: median(samples) <= goalMs }
}

/** A score of Lighthouse that must not be less than its goal. */
function atLeast(figure: string, samples: readonly number[], goal: number): Figure {
  return { figure, ours: summary(samples, '', 2), goal: `≥ ${goal}`, met: median(samples) >= goal }
}

function scoreFigures(scores: readonly PageScore[]): Figure[] {
  const of = (name: keyof PageScore): number[] => scores.map((score) => score[name])
  return [
    { ...atLeast('Lighthouse, mobile, performance', of('score'), LEAST_SCORE), baseline: '0.52' },
    atLeast('Lighthouse, mobile, accessibility', of('accessibility'), 1),
    atMost('largest contentful paint', of('lcpMs'), MOST_LCP_MS),
    atMost('total blocking time', of('tbtMs'), MOST_TBT_MS),
  ]
}

function slowFigures(openings: readonly Record<'first' | 'reload', Opening>[]): Figure[] {
  const of = (visited: 'first' | 'reload', name: keyof Opening): number[] =>
    openings.map((opening) => opening[visited][name])
  return [
    atMost('slow 3G: headline, models and prices shown', of('first', 'shownMs'), MOST_USABLE_MS),
    atMost('slow 3G: usable', of('first', 'usableMs'), MOST_USABLE_MS),
    atMost('slow 3G: usable after a reload', of('reload', 'usableMs'), MOST_USABLE_MS),
  ]
}

function saleFigures(scores: readonly PageScore[]): Figure[] {
  const of = (name: keyof PageScore): number[] => scores.map((score) => score[name])
  return [
    atLeast('page of the sale: Lighthouse, mobile, performance', of('score'), LEAST_SCORE),
    atLeast('page of the sale: Lighthouse, mobile, accessibility', of('accessibility'), 1),
    atMost('page of the sale: total blocking time', of('tbtMs'), MOST_TBT_MS),
  ]
}

const noteOf = (rounds: number): string =>
  [
    `The build for Pages, gzipped, from this machine, the worker behind \`/api\`. Lighthouse visits the front page as a phone on a slow line (its default), ${rounds} times. The baseline is the stock template of ${BASELINE}, measured once on such a machine; it is not built here.`,
    'Slow 3G is 400 kbit/s with 400 ms for each round trip, and a processor four times slower, both by the browser itself. Usable means: a prompt can be written, every model has its price, and Pay can be pressed. The page of the sale is the local build at `/presale/` on the whole local stack.',
  ].join(' ')
