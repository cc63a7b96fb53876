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

/** Every call that leaves the worker, in order, by name. */
function traced(database: Database) {
  const trace: string[] = []
  const seen: Database = {
    run: (statement, options) => {
      trace.push(nameOf([statement]))
      return database.run(statement, options)
    },
    batch: (statements, options) => {
      trace.push(nameOf(statements))
      return database.batch(statements, options)
    },
  }
  const service = openService(seen)
  const record = <Port extends object>(port: Port, names: readonly (keyof Port & string)[]): void => {
    for (const name of names) {
      const original = port[name]
      if (typeof original !== 'function') throw new Error(`${name} is no function`)
      Object.assign(port, {
        [name]: (...args: unknown[]) => {
          trace.push(name)
          return original.apply(port, args)
        },
      })
    }
  }
  record(service.facilitator, ['verify', 'settle'])
  record(service.provider, ['create', 'get', 'list', 'openFile'])
  record(service.store, ['put', 'head'])
  return { service, trace, chainCalls: (): string[] => service.chain.state.calls }
}

describe('calls per request', () => {
  const db = useDatabase()
  let service: Service
  let trace: string[]
  let chainCalls: () => string[]
  beforeEach(() => {
    ;({ service, trace, chainCalls } = traced(db.database))
  })

  it('default: an unpaid call with a cached price makes no outgoing call', async () => {
    const buyer = await service.openBuyer()
    await buyer.quote(requests.image)
    trace.length = 0
    chainCalls().length = 0
    await buyer.quote(requests.image)
    expect({ trace, chain: chainCalls() }).toEqual({ trace: [], chain: [] })
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

  it('default: a paid call for a text makes three database calls', async () => {
    const buyer = await service.openBuyer()
    const header = await buyer.signedPayment(requests.text)
    trace.length = 0
    chainCalls().length = 0
    expect((await buyer.answer(requests.text, header)).status).toBe(200)
    expect(trace).toEqual(['claim', 'verify', 'settle', 'settled mark', 'create', 'record'])
    expect(chainCalls()).toEqual(['transferIn'])
  })

  it('default: a paid call for a picture adds one read and one write of the file', async () => {
    const buyer = await service.openBuyer()
    const url = 'https://files.example/a.webp'
    service.provider.state.output = [url]
    service.provider.state.files.set(url, new TextEncoder().encode('RIFF____WEBP and so on'))
    const header = await buyer.signedPayment(requests.image)
    trace.length = 0
    expect((await buyer.answer(requests.image, header)).status).toBe(200)
    expect(trace.slice(-4)).toEqual(['prediction id', 'openFile', 'put', 'record'])
    expect(trace).toHaveLength(9)
  })

  it('behavior: the same payment again is one database call and nothing else', async () => {
    const buyer = await service.openBuyer()
    const header = await buyer.signedPayment(requests.text)
    await buyer.answer(requests.text, header)
    trace.length = 0
    chainCalls().length = 0
    expect((await buyer.answer(requests.text, header)).status).toBe(200)
    expect({ trace, chain: chainCalls() }).toEqual({ trace: ['claim'], chain: [] })
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
