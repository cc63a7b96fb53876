import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod'

const numeric = z.object({ numericValue: z.number() })
const reportSchema = z.object({
  categories: z.object({
    performance: z.object({ score: z.number() }),
    accessibility: z.object({ score: z.number() }),
  }),
  audits: z.object({ 'largest-contentful-paint': numeric, 'total-blocking-time': numeric }),
})

export interface PageScore {
  /** 0 to 1. */
  score: number
  /** 0 to 1. */
  accessibility: number
  lcpMs: number
  tbtMs: number
}

const TRIES = 3

/** One visit by Lighthouse as a phone on a slow line, its default. One that it could not record itself is made again. */
export async function visit(url: string, options: { chromium: string; dir: string }): Promise<PageScore> {
  for (let made = 1; ; made += 1) {
    try {
      return await visitOnce(url, options)
    } catch (error) {
      if (made === TRIES || !String(error instanceof Error && 'stderr' in error && error.stderr).includes(NOT_RECORDED))
        throw error
    }
  }
}

/** Lighthouse's own words when the browser's trace lacks the start of the visit, as happens on a busy machine. */
const NOT_RECORDED = 'Please run Lighthouse again'

async function visitOnce(url: string, options: { chromium: string; dir: string }): Promise<PageScore> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('lighthouse/package.json')), 'cli/index.js')
  const file = join(options.dir, 'lighthouse.json')
  const args = [
    cli,
    url,
    '--quiet',
    '--output=json',
    `--output-path=${file}`,
    '--only-categories=performance,accessibility',
    '--no-enable-error-reporting',
    '--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-background-networking --disable-component-update',
  ]
  await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, CHROME_PATH: options.chromium },
    timeout: 120_000,
  })
  const { categories, audits } = reportSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  return {
    score: categories.performance.score,
    accessibility: categories.accessibility.score,
    lcpMs: audits['largest-contentful-paint'].numericValue,
    tbtMs: audits['total-blocking-time'].numericValue,
  }
}
