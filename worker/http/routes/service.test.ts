import { expect, it } from 'vitest'
import { makeTestApp } from '../../../test/helpers/app.ts'
import { makeTestConfig, SEPOLIA } from '../../../test/helpers/config.ts'

const KEY = `0x${'44'.repeat(32)}` as const
/** Of that key. */
const SIGNER = '0x7564105E977516C53bE337314c7E53838967bDaC'

const appWith = (config = makeTestConfig({ receiptSigningKey: KEY })) => makeTestApp({ config }).client()

it('default: coinslot.json names networks, payee and receipt signer, to any origin', async () => {
  const answer = await appWith().get('/.well-known/coinslot.json', { Origin: 'https://elsewhere.example' })
  expect(answer.json).toEqual({
    name: 'Coinslot',
    origin: 'https://coinslot.example',
    networks: [
      {
        network: 'eip155:84532',
        chainId: 84532,
        name: 'Base Sepolia',
        usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      },
    ],
    payTo: '0x000000000000000000000000000000000000dEaD',
    receipts: {
      signer: SIGNER,
      domain: { name: 'Coinslot receipt', version: '1' },
      primaryType: 'Receipt',
      types: { Receipt: expect.arrayContaining([{ name: 'outputDigests', type: 'bytes32[]' }]) },
    },
    links: expect.objectContaining({ openapi: '/api/openapi.json', llms: '/llms.txt' }),
  })
  expect(answer.text).not.toContain('44'.repeat(32))
  expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*')
  expect(answer.headers.get('Cache-Control')).toBe('public, max-age=300')
})

it('behavior: without a key no receipts are promised; every network is named', async () => {
  const [first] = makeTestConfig().networks
  const answer = await appWith(makeTestConfig({ networks: [SEPOLIA, first] })).get('/.well-known/coinslot.json')
  expect(answer.json).toMatchObject({ receipts: null, networks: [{ chainId: 11155111 }, { chainId: 84532 }] })
})

it('default: x402 lists the one resource that takes payments, by its whole URL', async () => {
  expect((await appWith().get('/.well-known/x402')).json).toEqual({
    version: 1,
    x402Version: 2,
    resources: ['https://coinslot.example/api/inference'],
    instructions: expect.stringContaining('/llms.txt'),
  })
})

it('default: x402.json lists price, input and output of the resource as catalogues read them', async () => {
  const database = { run: async () => [], batch: async () => [] }
  const kit = makeTestApp({ database })
  const answer = await kit.client().get('/.well-known/x402.json', { Origin: 'https://elsewhere.example' })
  expect(answer.json).toEqual({
    x402Version: 2,
    lastUpdated: kit.deps.now().toISOString(),
    items: [
      {
        resource: 'https://coinslot.example/api/inference',
        type: 'http',
        accepts: [expect.objectContaining({ scheme: 'exact', network: 'eip155:84532', amount: '10000' })],
        input: {
          type: 'http',
          method: 'POST',
          bodyType: 'json',
          body: expect.objectContaining({ model: 'black-forest-labs/flux-schnell' }),
        },
        output: { type: 'json', example: expect.objectContaining({ status: 'succeeded' }) },
        requires: ['sign-in-with-x'],
      },
    ],
  })
  expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*')
  expect(answer.headers.get('Cache-Control')).toBe('public, max-age=300')
})

it('default: security.txt has the fields of RFC 9116 and expires within a year', async () => {
  const kit = makeTestApp()
  const answer = await kit.client().get('/.well-known/security.txt')
  expect(answer.headers.get('Content-Type')?.toLowerCase()).toBe('text/plain; charset=utf-8')
  const fields = Object.fromEntries(
    answer.text
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/)),
  )
  expect(fields).toMatchObject({
    Contact: 'https://coinslot.example/docs',
    Canonical: 'https://coinslot.example/.well-known/security.txt',
  })
  const days = (Date.parse(fields['Expires'] ?? '') - kit.deps.now().getTime()) / 86_400_000
  expect(days).toBeGreaterThan(90)
  expect(days).toBeLessThan(365)
})

it('error: not_found for any other well-known name', async () => {
  expect((await appWith().get('/.well-known/change-password')).json).toMatchObject({ status: 404, code: 'not_found' })
})
