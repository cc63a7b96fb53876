import { execFileSync } from 'node:child_process'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type RunningChain, startChain } from '../../dev/anvil/chain.ts'
import { freePort, isPortFree } from '../../dev/process/ports.ts'
import { startProvider } from '../../dev/provider/server.ts'
import { loadSecrets, type StackSecrets } from '../../dev/worker/secrets.ts'
import { type Buyer, makeBuyer } from '../helpers/buyer.ts'
import { facilitatorEnv, type Places, serverEnv } from '../helpers/container-env.ts'
import { transfersTo } from '../helpers/facilitator-process.ts'
import { type ImageFolder, makeImageFolder } from '../helpers/image-folder.ts'
import { requests } from '../helpers/in-process-service.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { type Program, startProgram } from '../helpers/program.ts'
import { startTestS3, type TestS3 } from '../helpers/s3.ts'

// Started while the file is read, so that the tests know whether there is one.
const postgres = await startPostgres()
let image: ImageFolder
let chain: RunningChain
let s3: TestS3
let provider: Awaited<ReturnType<typeof startProvider>>
let facilitator: Program
let facilitatorPort: number
let secrets: StackSecrets
let port: number
const running = new Set<Program>()

beforeAll(async () => {
  if (postgres === null) return
  image = await makeImageFolder()
  secrets = await loadSecrets(image.dir)
  ;[chain, s3, provider] = await Promise.all([
    startChain({ buyers: 2 }),
    startTestS3(),
    startProvider({ token: secrets.providerToken, webhookSecret: secrets.webhookSecret, speed: 4 }),
  ])
  port = await freePort()
  facilitatorPort = await freePort()
  facilitator = startProgram({
    ...place('facilitator.mjs'),
    env: facilitatorEnv(places(), postgres.url),
  })
  await facilitator.event('listening')
})
afterEach(async () => {
  for (const program of running) program.kill('SIGKILL')
  await Promise.all([...running].map(({ ended }) => ended))
})
afterAll(async () => {
  facilitator?.kill('SIGTERM')
  if (facilitator !== undefined) expect(await facilitator.ended).toBe(0)
  await Promise.all([chain?.close(), s3?.close(), provider?.close()])
  await postgres?.close()
  image?.remove()
})

/** As the image starts it: another user, its folder, nothing of the project around it. */
const place = (script: string) => ({
  node: image.node,
  args: ['--enable-source-maps', script],
  cwd: image.dir,
  ...image.user,
})

const places = (): Places => ({
  ...{ chain, s3, provider, secrets, port, facilitatorPort },
  origin: `http://127.0.0.1:${port}`,
})

function start(change: Record<string, string> = {}): Program {
  const program = startProgram({
    ...place('server.mjs'),
    env: { ...serverEnv(places(), postgres?.url ?? ''), ...change },
  })
  running.add(program)
  void program.ended.then(() => running.delete(program))
  return program
}

async function started(change?: Record<string, string>): Promise<Program> {
  const program = start(change)
  await program.event('listening')
  return program
}

async function signedIn(index = 0): Promise<Buyer> {
  const key = chain.buyers[index]?.privateKey ?? '0x'
  const origin = `http://127.0.0.1:${port}`
  const buyer = makeBuyer({ fetch, origin, chainId: chain.chainId, privateKey: key })
  expect((await buyer.signIn()).status).toBe(200)
  return buyer
}

async function query(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: postgres?.url })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

/** Counts that must never be above one for one purchase. */
async function counts() {
  const transfers = (await transfersTo(chain)).length
  const made: { created: number } = await (await fetch(new URL('/__counts', provider.url))).json()
  return { transfers, predictions: made.created, rows: (await query('select 1 from inferences')).length }
}

async function script(runs: unknown[]): Promise<void> {
  const response = await fetch(new URL('/__script', provider.url), { method: 'POST', body: JSON.stringify({ runs }) })
  expect(response.ok).toBe(true)
}

/** Waits until the provider runs one more than `before`: paid for, and not delivered. */
const untilRunning = (before: number): Promise<void> =>
  expect.poll(async () => (await counts()).predictions, { interval: 20, timeout: 30_000 }).toBe(before + 1)

describe.skipIf(postgres === null)('the image’s folder (skipped where PostgreSQL is not installed)', () => {
  test('default: migrates an empty database, serves site and purchases, without root rights', async () => {
    const program = await started()
    const lines = program.lines.map(({ event }) => event)
    expect(lines.indexOf('migrated')).toBeLessThan(lines.indexOf('listening'))
    expect(program.lines.find(({ event }) => event === 'listening')).toMatchObject({ port, site: true })
    if (image.user.uid !== undefined) {
      const owner = execFileSync('ps', ['-o', 'uid=', '-p', `${program.pid}`])
      expect(Number(owner)).toBe(image.user.uid)
    }
    const origin = `http://127.0.0.1:${port}`
    const health = await fetch(`${origin}/api/health`)
    expect([health.status, await health.json()]).toEqual([
      200,
      { status: 'ok', db: 'ok', r2: 'ok', replicate: 'ok', timestamp: expect.any(String) },
    ])
    const page = await fetch(origin)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
    expect(await page.text()).toContain('<div id="app"')
    const buyer = await signedIn()
    const before = await counts()
    const listed = await buyer.call('/mcp', {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_models","arguments":{}}}',
    })
    expect([listed.status, await listed.text()]).toEqual([200, expect.stringContaining('flux-schnell')])
    const response = await buyer.buy(requests.image)
    const result: { output: { urls: string[] } } = await response.json()
    expect([response.status, result]).toEqual([200, expect.objectContaining({ status: 'succeeded' })])
    expect((await fetch(result.output.urls[0] ?? '')).headers.get('content-type')).toMatch(/^image\//)
    expect(await counts()).toEqual({
      transfers: before.transfers + 1,
      predictions: before.predictions + 1,
      rows: before.rows + 1,
    })
    program.kill('SIGTERM')
    expect(await program.ended).toBe(0)
  })

  test('behavior: SIGTERM while the model runs: no new calls, and the buyer still gets the result', async () => {
    const program = await started()
    const buyer = await signedIn()
    const before = await counts()
    await script([{ processingMs: 3_000 }])
    const answer = buyer.buy(requests.text)
    await untilRunning(before.predictions)
    program.kill('SIGTERM')
    await program.event('stopping')
    await expect.poll(() => isPortFree(port)).toBe(true)
    expect((await answer).status).toBe(200)
    expect(await program.ended).toBe(0)
    expect(program.lines.at(-1)).toMatchObject({ event: 'stopped', unfinished: 0 })
  })

  test('behavior: SIGTERM with no time left: the next process finishes it, paid and run once', async () => {
    const first = await started({ SHUTDOWN_SECONDS: '1' })
    const buyer = await signedIn()
    const before = await counts()
    await script([{ processingMs: 8_000 }])
    const header = await buyer.sign(await buyer.quote(requests.text))
    const lost = buyer.pay(requests.text, header).then(
      ({ status }) => status,
      () => 'lost',
    )
    await untilRunning(before.predictions)
    first.kill('SIGTERM')
    expect(await lost).toBe('lost')
    expect(await first.ended).toBe(0)
    expect(first.lines.at(-1)).toMatchObject({ event: 'stopped', unfinished: expect.any(Number) })
    await started()
    const again = async () => {
      const response = await buyer.pay(requests.text, header)
      await response.body?.cancel()
      return response.status
    }
    await expect.poll(again, { interval: 1_000, timeout: 80_000 }).toBe(200)
    expect(await counts()).toEqual({
      transfers: before.transfers + 1,
      predictions: before.predictions + 1,
      rows: before.rows + 1,
    })
  })

  test('error: a faulty configuration ends it with every fault named and no value', async () => {
    const program = start({ SESSION_SECRET: 'short', RECEIVER_ADDRESS: 'nobody', PORT: 'seven' })
    expect(await program.ended).toBe(1)
    expect(program.lines).toHaveLength(1)
    expect(program.lines[0]?.['faults']).toEqual([
      expect.stringMatching(/^PORT must be an integer/),
      'SESSION_SECRET must have at least 32 characters',
      expect.stringMatching(/^RECEIVER_ADDRESS must be an address/),
    ])
  })

  test('error: it waits for a late database, and opens its port only then', async () => {
    const program = start({ DATABASE_URL: 'postgresql://app:hunter2@127.0.0.1:1/main' })
    expect(await program.event('database.awaited')).toMatchObject({ level: 'warn' })
    expect(await isPortFree(port)).toBe(true)
    expect(JSON.stringify(program.lines)).not.toContain('hunter2')
    program.kill('SIGKILL')
    await program.ended
  })

  test('error: a forged X-Forwarded-For does not change the caller', async () => {
    await started({ RATE_LIMITS: 'on' })
    const verify = (address: string) =>
      fetch(`http://127.0.0.1:${port}/api/models`, { headers: { 'X-Forwarded-For': address } })
    const statuses: number[] = []
    for (let call = 0; call < 61; call++) statuses.push((await verify(`192.0.2.${call}`)).status)
    expect(statuses.slice(0, 60)).toEqual(Array(60).fill(200))
    expect(statuses[60]).toBe(429)
  })
})
