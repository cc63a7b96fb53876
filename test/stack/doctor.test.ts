import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examine } from '../../ops/doctor/examine.ts'
import { startTestStack, type TestStack } from '../helpers/stack.ts'

const NOWHERE = 'http://127.0.0.1:1'
let stack: TestStack
/** An RPC of another chain, and a facilitator that settles on another network. */
let stranger: Server
let strangerUrl: string

beforeAll(async () => {
  stack = await startTestStack({ site: true })
  stranger = createServer((request, response) => {
    const kinds = [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }]
    const body = request.url === '/supported' ? { kinds } : { jsonrpc: '2.0', id: 0, result: '0x1' }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  const address = stranger.address()
  strangerUrl = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`
})
afterAll(async () => {
  stranger?.close()
  await stack?.stop()
})

const troubles = async (change: Record<string, string | undefined>) =>
  (await examine({ ...stack.env, ...change })).filter(({ status }) => status === 'fail')

test('default: on the local stack every check passes, and every area is checked', async () => {
  const findings = await examine(stack.env)
  expect(findings.filter(({ status }) => status !== 'ok')).toEqual([])
  expect(findings.map(({ check }) => check)).toEqual([
    'configuration',
    'database',
    'migrations',
    'journal',
    'bucket',
    'public objects',
    'provider',
    'webhook secret',
    'models',
    'facilitator',
    'rpc eip155:31337',
    'usdc eip155:31337',
    'aic payment token',
    'aic staking',
    'aic splitter',
    'aic staked token',
    'aic wrapped token',
    'aic treasury',
    'receiver',
    'service',
    'site',
    'webhooks',
    'mcp',
    'catalogues',
    'clock',
  ])
})

describe('one fault each, with the advice that fixes it', () => {
  test.each([
    ['database down', { DATABASE_HTTP_URL: `${NOWHERE}/sql` }, 'database', /does not answer/, /DATABASE_URL/],
    ['bucket wrong', { OBJECT_STORE_BUCKET_NAME: 'elsewhere' }, 'bucket', /NoSuchBucket/, /no bucket elsewhere/],
    ['bucket key wrong', { OBJECT_STORE_SECRET_ACCESS_KEY: 'no' }, 'bucket', /403/, /OBJECT_STORE_SECRET_ACCESS_KEY/],
    ['provider token wrong', { MODEL_PROVIDER_API_TOKEN: 'no' }, 'provider', /401/, /MODEL_PROVIDER_API_TOKEN/],
    ['facilitator down', { X402_FACILITATOR_URL: NOWHERE }, 'facilitator', /does not answer/, /X402_FACILITATOR_URL/],
    ['webhook secret missing', { MODEL_PROVIDER_WEBHOOK_SECRET: '' }, 'webhook secret', /missing/, /webhooks\/default/],
    ['burn share wrong', { AIC_BURN_BPS: '1' }, 'aic splitter', /2000 basis points/, /AIC_BURN_BPS="2000"/],
    ['service down', { PUBLIC_ORIGIN: NOWHERE }, 'service', /does not answer/, /routes/],
  ])('error: %s', async (_name, change, check, detail, advice) => {
    expect(await troubles(change)).toEqual([
      { check, status: 'fail', detail: expect.stringMatching(detail), advice: expect.stringMatching(advice) },
    ])
  })

  test('error: facilitator without our network', async () => {
    expect(await troubles({ X402_FACILITATOR_URL: strangerUrl })).toEqual([
      {
        check: 'facilitator',
        status: 'fail',
        detail: `${strangerUrl} does not settle on Local chain (eip155:31337)`,
        advice: expect.stringMatching(/run the one of this repository.*docs\/deploy\.md/),
      },
    ])
  })

  test('error: RPC of another chain', async () => {
    const found = await troubles({ DEV_RPC_URL: strangerUrl })
    expect(found[0]).toMatchObject({
      check: 'rpc eip155:31337',
      detail: 'answers for chain 1',
      advice: expect.stringMatching(/DEV_RPC_URL.*chain 31337/),
    })
  })

  test('error: token domain name wrong', async () => {
    // AIC's wrapper is a token with EIP-3009 like USDC, by another name.
    expect(await troubles({ DEV_USDC_ADDRESS: stack.info.contracts['wrappedAic'] })).toEqual([
      {
        check: 'usdc eip155:31337',
        status: 'fail',
        detail: expect.stringContaining('another EIP-712 domain'),
        advice: expect.stringMatching(/^DEV_USDC_ADDRESS: buyers would sign "USD Coin" version 2, .* calls itself "/),
      },
    ])
  })

  test('error: migrations missing', async () => {
    const [newest] = await stack.database.run(
      sql`delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations) returning *`,
    )
    try {
      expect(await troubles({})).toEqual([
        {
          check: 'migrations',
          status: 'fail',
          detail: expect.stringMatching(/not in place.*: \d{4}_\w+/),
          advice: expect.stringContaining('npm run db:migrate'),
        },
      ])
    } finally {
      const { id, hash, created_at: createdAt } = newest ?? {}
      await stack.database.run(
        sql`insert into drizzle.__drizzle_migrations (id, hash, created_at) values (${id}, ${hash}, ${createdAt})`,
      )
    }
  })

  test('error: this machine’s clock a minute ahead', async () => {
    const found = await examine(stack.env, { now: () => new Date(Date.now() + 60_000) })
    expect(found.at(-1)).toMatchObject({ check: 'clock', status: 'fail', advice: expect.stringContaining('NTP') })
  })

  test('error: a faulty configuration names every fault and no value', async () => {
    const found = await examine({ ...stack.env, SESSION_SECRET: 'hunter2', RECEIVER_ADDRESS: '' })
    expect(found.map(({ check, detail }) => [check, detail])).toEqual([
      ['configuration', 'SESSION_SECRET must have at least 32 characters'],
      ['configuration', 'RECEIVER_ADDRESS is missing'],
    ])
  })
})

describe('the command', () => {
  const run = (...flags: string[]): Promise<{ code: number | null; stdout: string }> =>
    new Promise((resolve) => {
      const args = [join(import.meta.dirname, '../../ops/doctor/main.ts'), ...flags]
      const child = execFile(process.execPath, args, (_error, stdout) => resolve({ code: child.exitCode, stdout }))
    })

  test('default: reads a file, prints a line per check, exits with 0, or with 1 and what to do', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'coinslot-doctor-'))
    try {
      const file = join(folder, 'env')
      const lines = (env: Record<string, string>) =>
        Object.entries(env)
          .map(([name, value]) => `${name}='${value}'`)
          .join('\n')
      writeFileSync(file, lines(stack.env))
      const well = await run('--env-file', file)
      expect([well.code, well.stdout]).toEqual([0, expect.stringMatching(/✓ database {2,}.*\n[\s\S]*All is well\.\n$/)])
      writeFileSync(file, lines({ ...stack.env, MODEL_PROVIDER_API_TOKEN: 'a wrong token' }))
      const ill = await run('--env-file', file)
      expect([ill.code, ill.stdout]).toEqual([
        1,
        expect.stringMatching(/✗ provider .*401.*\n +→ MODEL_PROVIDER_API_TOKEN/),
      ])
      const json = await run('--env-file', file, '--json')
      expect([json.code, JSON.parse(json.stdout)]).toEqual([
        1,
        { ok: false, source: file, findings: expect.arrayContaining([expect.objectContaining({ check: 'provider' })]) },
      ])
      for (const { stdout } of [well, ill, json]) {
        for (const secret of [stack.env['SESSION_SECRET'], stack.info.webhookSecret, 'a wrong token']) {
          expect(stdout).not.toContain(secret)
        }
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
