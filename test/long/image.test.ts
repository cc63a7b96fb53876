import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Buyer, makeBuyer } from '../helpers/buyer.ts'
import { type BuiltImage, buildImage, openImage, tagNextVersion, whyNoImage } from '../helpers/image-build.ts'
import { runImage } from '../helpers/image-run.ts'
import { confinementOf, type ImageStand, makeImageStand } from '../helpers/image-stand.ts'
import { requests } from '../helpers/in-process-service.ts'
import { startPostgres } from '../helpers/postgres.ts'

const IMAGE = 'localhost/coinslot:tried'
const NEXT = 'localhost/coinslot:tried-next'
const BUILD_MS = 1_200_000
const CONFINED = { uid: '1000', capabilities: '0000000000000000', noNewPrivileges: '1', root: 'ro' }

const postgres = await startPostgres()
const reason = postgres === null ? 'needs PostgreSQL' : whyNoImage()
let image: BuiltImage
let stand: ImageStand

beforeAll(async () => {
  if (postgres === null || reason !== null) return
  await buildImage(IMAGE)
  image = await openImage(IMAGE)
  stand = await makeImageStand(postgres)
}, BUILD_MS)
afterAll(async () => {
  await stand?.close()
  await image?.remove()
  await postgres?.close()
})

async function signedIn(): Promise<Buyer> {
  const { origin, chain } = stand
  const buyer = makeBuyer({ fetch, origin, chainId: chain.chainId, privateKey: chain.buyers[0]?.privateKey ?? '0x' })
  expect((await buyer.signIn()).status).toBe(200)
  return buyer
}

/** How a program of the image that ends by itself ended, with its lines where that was not well. */
async function endOf(program: ReturnType<typeof runImage>) {
  const code = await program.ended
  return code === 0 ? 0 : { code, lines: program.lines }
}

describe.skipIf(reason !== null)(
  `the image of the Dockerfile (${reason ?? 'skipped without root or packages'})`,
  () => {
    test('default: migrates, settles and sells as user 1000 on a read-only root', async () => {
      const write = `const { writeFileSync: w } = require('node:fs'); w('/tmp/x', '')
      for (const path of ['/app/x', '/app/server.mjs', '/x', '/etc/x']) try { w(path, ''); process.exit(1) } catch {}`
      expect(await endOf(runImage(image, {}, ['-e', write]))).toBe(0)
      expect(await stand.serve(image).ended).toBe(1)
      expect(await endOf(stand.migrate(image))).toBe(0)

      const facilitator = stand.settle(image)
      const server = stand.serve(image)
      await Promise.all([facilitator.event('listening'), server.event('listening')])
      expect([confinementOf(facilitator.pid), confinementOf(server.pid)]).toEqual([CONFINED, CONFINED])
      const health = await fetch(`${stand.origin}/api/health`)
      expect(await health.json()).toMatchObject({ status: 'ok', db: 'ok', r2: 'ok', replicate: 'ok' })
      expect(await (await fetch(stand.origin)).text()).toContain('<div id="app"')

      const response = await (await signedIn()).buy(requests.image)
      expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ status: 'succeeded' })])
      expect(await stand.counts()).toEqual({ transfers: 1, predictions: 1, rows: 1 })
      const owners = await stand.query(`select distinct tableowner as owner, schemaname as schema from pg_tables
      where schemaname in ('public', 'drizzle', 'facilitator') order by 1, 2`)
      expect(owners.map(({ owner, schema }) => `${owner} ${schema}`)).toEqual([
        'facilitator facilitator',
        'migrator drizzle',
        'migrator public',
      ])
      server.kill('SIGTERM')
      expect(await endOf(server)).toBe(0)
    })

    test('behavior: SIGTERM in a purchase: the next version migrates, takes over, ends it once', async () => {
      await tagNextVersion(IMAGE, NEXT)
      const next = await openImage(NEXT)
      const first = stand.serve(image, { SHUTDOWN_SECONDS: '1' })
      await first.event('listening')
      const buyer = await signedIn()
      const before = await stand.counts()
      expect((await stand.script([{ processingMs: 8_000 }])).ok).toBe(true)
      const header = await buyer.sign(await buyer.quote(requests.text))
      const lost = buyer.pay(requests.text, header).then(
        ({ status }) => status,
        () => 'lost',
      )
      const inFlight = () =>
        stand.query("select 1 from payments where state = 'settled' and provider_prediction_id is not null")
      await expect.poll(inFlight, { interval: 20, timeout: 30_000 }).toHaveLength(1)
      first.kill('SIGTERM')
      expect([await lost, await endOf(first)]).toEqual(['lost', 0])

      expect(await endOf(stand.migrate(next))).toBe(0)
      expect(await stand.query("select obj_description('payments'::regclass) as text")).toEqual([{ text: 'next' }])
      const second = stand.serve(next)
      await second.event('listening')
      // No call asks for it: the next version finds what is due.
      const open = () => stand.query('select 1 from payments where next_attempt_at is not null')
      await expect.poll(open, { interval: 200, timeout: 120_000 }).toEqual([])
      const again = await buyer.pay(requests.text, header)
      expect([again.status, await again.json()]).toEqual([200, expect.objectContaining({ status: 'succeeded' })])
      expect(await stand.counts()).toEqual({
        transfers: before.transfers + 1,
        predictions: before.predictions + 1,
        rows: before.rows + 1,
      })
      second.kill('SIGTERM')
      expect(await endOf(second)).toBe(0)
      await next.remove()
    })
  },
)
