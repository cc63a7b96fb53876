import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { buildSite, dashboardBytes, MOST_BYTES, scriptBytes } from '../../bench/site/stages.ts'
import { bundleBytes } from '../../bench/workerd/bundle.ts'
import type { Database } from '../../db/client.ts'
import { bundleMcp, bundleWorker } from '../../dev/worker/bundle.ts'
import { useDatabase } from '../helpers/in-process-database.ts'
import { openService, requests, type Service } from '../helpers/in-process-service.ts'
import { makeWaits } from '../helpers/waits.ts'

const KIBIBYTE = 1024

/** The purpose of each statement of a purchase, by words that only it has. */
const STATEMENTS: [name: string, words: RegExp][] = [
  ['claim', /claim_payment_1/],
  ['settled mark', /mark_settled_1/],
  ['record', /record_inference_1/],
  ['prediction id', /coalesce\(provider_prediction_id/],
  ['sums of the models', /from model_sum_parts/],
]

const dialect = new PgDialect()
function nameOf(statements: readonly SQL[]): string {
  const text = statements.map((statement) => dialect.sqlToQuery(statement).sql).join(';')
  return STATEMENTS.find(([, words]) => words.test(text))?.[0] ?? `unknown: ${text}`
}

/** The whole service, with every call that leaves the worker watched. */
function watched(database: Database) {
  const waits = makeWaits()
  const service = openService({
    run: (statement, options) => waits.call(nameOf([statement]), () => database.run(statement, options)),
    batch: (statements, options) => waits.call(nameOf(statements), () => database.batch(statements, options)),
  })
  waits.watch(service.facilitator, ['verify', 'settle'])
  waits.watch(service.chain, [
    'authorizationStatus',
    'hasCode',
    'isContract',
    'isReverted',
    'transferIn',
    'balanceOf',
    'stakedBalance',
  ])
  waits.watch(service.provider, ['create', 'get', 'list', 'openFile'])
  waits.watch(service.store, ['put', 'head'])
  return { service, waits }
}

const FILE = 'https://files.example/a.webp'
/** What a call waits for, one thing after the other. */
const TRIPS: Record<string, string[]> = {
  'an unpaid call': [],
  'a text': ['claim', 'verify', 'settle', 'transferIn', 'settled mark', 'create', 'record'],
  'a file': [
    'claim',
    'verify',
    'settle',
    'transferIn',
    'settled mark',
    'create',
    'prediction id',
    'openFile',
    'put',
    'record',
  ],
  'a replay': ['claim'],
}

describe('calls per request', () => {
  const db = useDatabase()
  let service: Service
  let waits: ReturnType<typeof makeWaits>
  beforeEach(() => {
    ;({ service, waits } = watched(db.database))
  })

  it('default: what a text, a file, a replay and an unpaid call wait for, in a row', async () => {
    service.provider.state.output = [FILE]
    service.provider.state.files.set(FILE, new TextEncoder().encode('RIFF____WEBP and so on'))
    const buyer = await service.openBuyer()
    await buyer.quote(requests.image)
    waits.forget()
    const seen: Record<string, string[]> = {}
    const keep = (name: string): void => {
      seen[name] = waits.inARow()
    }
    await buyer.quote(requests.image)
    keep('an unpaid call')
    for (const [name, request] of [
      ['a file', requests.image],
      ['a text', requests.text],
    ] as const) {
      const header = await buyer.signedPayment(request)
      if (name === 'a text') service.provider.state.output = ['word']
      waits.forget()
      expect((await buyer.answer(request, header)).status).toBe(200)
      keep(name)
      waits.forget()
      expect((await buyer.answer(request, header)).status).toBe(200)
      keep('a replay')
    }
    expect(seen).toEqual(TRIPS)
  })

  it('default: an unpaid call of a known caller waits for no cryptography of the platform', async () => {
    const buyer = await service.openBuyer()
    await buyer.quote(requests.image)
    const calls: string[] = []
    const spies = (['digest', 'sign', 'verify', 'decrypt', 'deriveKey', 'deriveBits', 'importKey'] as const).map(
      (name) => {
        const original = crypto.subtle[name]
        return vi.spyOn(crypto.subtle, name).mockImplementation((...args: unknown[]) => {
          calls.push(name)
          return Reflect.apply(original, crypto.subtle, args)
        })
      },
    )
    try {
      await buyer.quote(requests.image)
    } finally {
      for (const spy of spies) spy.mockRestore()
    }
    expect(calls).toEqual([])
  })
})

describe('bytes', () => {
  it('default: the worker is at most 265 KiB minified and gzipped', {
    timeout: 120_000,
  }, async () => {
    const { gzip } = await bundleBytes(await bundleWorker())
    expect(gzip).toBeGreaterThan(50 * KIBIBYTE)
    expect(gzip).toBeLessThanOrEqual(265 * KIBIBYTE)
  })

  it('default: the MCP server is at most 120 KiB minified and gzipped', { timeout: 120_000 }, async () => {
    const { gzip } = await bundleBytes(await bundleMcp())
    expect(gzip).toBeGreaterThan(50 * KIBIBYTE)
    expect(gzip).toBeLessThanOrEqual(120 * KIBIBYTE)
  })

  it('default: the dashboard loads at most 90 kB of script', { timeout: 120_000 }, async () => {
    const outDir = await mkdtemp(join(tmpdir(), 'coinslot-dashboard-'))
    try {
      const gzip = await dashboardBytes(outDir)
      expect(gzip).toBeGreaterThan(30_000)
      expect(gzip).toBeLessThanOrEqual(90_000)
    } finally {
      await rm(outDir, { recursive: true, force: true })
    }
  })

  it('default: the site loads at most 30 kB of script at first and 66 kB until a payment', {
    timeout: 120_000,
  }, async () => {
    const outDir = await mkdtemp(join(tmpdir(), 'coinslot-site-'))
    try {
      await buildSite(outDir)
      const bytes = await scriptBytes(outDir)
      expect(bytes['first paint']).toBeGreaterThan(5_000)
      expect(bytes['first paint']).toBeLessThanOrEqual(MOST_BYTES['first paint'])
      expect(bytes['after paying']).toBeLessThanOrEqual(MOST_BYTES['after paying'])
    } finally {
      await rm(outDir, { recursive: true, force: true })
    }
  })
})
