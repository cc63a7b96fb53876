import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createCoinslot } from '@coinslot/client'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../dev/process/ports.ts'
import { copyCheckout, type StartedProgram, startStackProgram } from '../helpers/checkout.ts'

/** A person's own file. */
const OWN = '# mine\nINFERENCE_RATE_PER_SEC="0.002"\n'
const QUIET = { CI: '1', CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' }

const checkout = copyCheckout()
const file = join(checkout.folder, '.dev.vars')
let port: number
let stack: StartedProgram | undefined
let wrangler: ChildProcess | undefined
beforeAll(async () => {
  // Others on this machine may have the default.
  port = await freePort()
  appendFileSync(join(checkout.folder, 'wrangler.toml'), `\n[dev]\nport = ${port}\n`)
  writeFileSync(file, OWN)
  stack = await startStackProgram(checkout.folder, ['--write-dev-vars'])
})
afterAll(async () => {
  if (wrangler?.pid !== undefined && wrangler.exitCode === null) {
    const ended = new Promise((resolve) => wrangler?.once('exit', resolve))
    process.kill(-wrangler.pid, 'SIGTERM')
    await ended
  }
  await stack?.stop()
  checkout.remove()
})

/** A plain `npx wrangler dev`. Resolves when it serves. */
function startWrangler(): Promise<void> {
  const env = { ...process.env, ...QUIET }
  const child = spawn('npx', ['wrangler', 'dev'], { cwd: checkout.folder, env, detached: true })
  wrangler = child
  let printed = ''
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        printed += `${line}\n`
        if (line.includes('Ready on http')) resolve()
      })
    }
    child.once('exit', (code) => reject(new Error(`wrangler dev ended with ${code}:\n${printed}`)))
  })
}

test('behavior: M5 a plain `npx wrangler dev` beside `npm start` signs in and buys', async () => {
  await expect.poll(() => stack?.output()).toContain(`serves the API at http://localhost:${port}`)
  expect(stack?.info.origin).not.toBe(`http://127.0.0.1:${port}`)
  await startWrangler()
  const account = privateKeyToAccount(stack?.info.buyers[0]?.privateKey ?? '0x')
  const coinslot = createCoinslot({ origin: `http://localhost:${port}`, account, maxUsdc: '0.05' })
  const input = { prompt: 'a red bicycle' }
  const run = coinslot.run({ task: 'text-to-image', model: 'black-forest-labs/flux-schnell', input })
  const { output, metrics } = await run.result()
  expect(metrics.paymentTxHash).toMatch(/^0x[0-9a-f]{64}$/)
  // 10 s at the person's own rate, which the stack does not set.
  expect(metrics.estimatedCostUsdc).toBe('0.020000')
  const url = output?.type === 'image' ? output.urls[0] : undefined
  expect((await fetch(url ?? '')).headers.get('content-type')).toMatch(/^image\//)
})

test('behavior: M5 the end of the stack takes its lines away and no other', async () => {
  expect(readFileSync(file, 'utf8')).toContain('DEV_RPC_URL=')
  await stack?.stop()
  stack = undefined
  expect(readFileSync(file, 'utf8')).toBe(OWN)
})
