import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import solc from 'solc'
import { type Address, createTestClient, http, publicActions, walletActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { startAnvil } from '../../dev/anvil/anvil.ts'
import { deployAic } from './deploy.ts'
import { makeEtherscan, makeSourcify } from './explorers.ts'
import { sourceOf } from './standard-json.ts'
import { verifyDeployment } from './verify.ts'

// The sources are read from what `npm run contracts:build` leaves.
const isBuilt = existsSync(join(import.meta.dirname, '../out/AicStaking.sol/AicStaking.json'))
const TREASURY: Address = '0x7777777777777777777777777777777777777777'

let anvil: Awaited<ReturnType<typeof startAnvil>>
let folder: string
let url: string
/** What the explorer got: method and path, and the body. */
let calls: { path: string; body: string }[] = []
/** Its answers, the next one first; a string is a body with status 200. */
let answers: (string | number)[] = []

const explorer = createServer(async (request: IncomingMessage, response) => {
  calls.push({ path: `${request.method} ${request.url}`, body: await text(request) })
  const answer = answers.shift() ?? 500
  response.writeHead(typeof answer === 'number' ? answer : 200).end(typeof answer === 'string' ? answer : '{}')
})

beforeAll(async () => {
  await new Promise<void>((resolve) => explorer.listen(0, '127.0.0.1', resolve))
  const bound = explorer.address()
  url = `http://127.0.0.1:${bound !== null && typeof bound === 'object' ? bound.port : 0}`
  anvil = await startAnvil({})
  folder = await mkdtemp(join(tmpdir(), 'verify-'))
  const account = privateKeyToAccount(`0x${'45'.repeat(32)}`)
  const chain = { mode: 'anvil', chain: foundry, account, transport: http(anvil.url), pollingInterval: 20 } as const
  const client = createTestClient(chain).extend(publicActions).extend(walletActions)
  await client.setBalance({ address: account.address, value: 10n ** 20n })
  const { staking } = await deployAic(client, { treasury: TREASURY, burnBps: 2_000 })
  const block = await client.getBlock({ includeTransactions: true, blockNumber: 3n })
  const [sent] = block.transactions
  const file = join(folder, 'Deploy.s.sol', '31337', 'run-latest.json')
  await mkdir(join(file, '..'), { recursive: true })
  const transactions = [{ hash: sent?.hash, transactionType: 'CREATE', contractName: 'AicStaking' }]
  const receipts = [{ status: '0x1', transactionHash: sent?.hash, contractAddress: staking, from: account.address }]
  await writeFile(file, JSON.stringify({ transactions, receipts }))
})
afterAll(async () => {
  explorer.close()
  await anvil?.stop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  calls = []
})

const sourcify = () => makeSourcify({ url, pollMs: 1 })
const etherscan = () => makeEtherscan({ url, apiKey: 'key', pollMs: 1 })
const verify = async (verifiers: Parameters<typeof verifyDeployment>[0]['verifiers']) => {
  const results = await verifyDeployment({ script: 'Deploy', rpcUrl: anvil.url, broadcastDir: folder, verifiers })
  return results.map(({ contract, fault }) => `${contract}: ${fault}`)
}
const done = (match: string | null) => JSON.stringify({ isJobCompleted: true, contract: { match } })
const said = (result: string, status = '1') => JSON.stringify({ status, result })

describe.skipIf(!isBuilt)('verification (skipped until contracts:build ran)', () => {
  test('default: Sourcify gets a source that compiles to the code on chain', async () => {
    const waiting = JSON.stringify({ isJobCompleted: false, contract: { match: null } })
    answers = [JSON.stringify({ verificationId: 'job' }), waiting, done('match')]
    expect(await verify({ sourcify: sourcify() })).toEqual(['AicStaking: null'])
    expect(calls.map(({ path }) => path.split('/').slice(0, 4).join('/'))).toEqual([
      'POST /v2/verify/31337',
      'GET /v2/verify/job',
      'GET /v2/verify/job',
    ])
    const { stdJsonInput, contractIdentifier } = JSON.parse(calls[0]?.body ?? '')
    expect(contractIdentifier).toBe('src/AicStaking.sol:AicStaking')
    expect(Object.keys(stdJsonInput.sources).filter((path) => !/^(src|@openzeppelin)\//.test(path))).toEqual([])
    const output = outputSchema.parse(JSON.parse(solc.compile(JSON.stringify(stdJsonInput))))
    const compiled = output.contracts['src/AicStaking.sol']?.['AicStaking']?.evm.bytecode.object
    expect(`0x${compiled}`).toBe(sourceOf('AicStaking').bytecode)
  })

  test('default: Etherscan gets source and constructor arguments', async () => {
    answers = [said('guid'), said('Pending in queue', '0'), said('Pass - Verified')]
    expect(await verify({ etherscan: etherscan() })).toEqual(['AicStaking: null'])
    expect(calls.map(({ path }) => path)).toEqual(Array(3).fill('POST /?chainid=31337&apikey=key'))
    const form = new URLSearchParams(calls[0]?.body)
    expect(form.get('contractname')).toBe('src/AicStaking.sol:AicStaking')
    // The second argument is the cooldown, 604,800 seconds.
    expect(form.get('constructorArguements')).toMatch(/^0{24}[0-9a-f]{40}0{59}93a80$/)
    expect(form.get('compilerversion')).toMatch(/^v0\.8\.37\+commit\.[0-9a-f]{8}$/)
  })

  test('behavior: a contract that is verified already is fine', async () => {
    answers = [409, said('Contract source code already verified', '0')]
    expect(await verify({ sourcify: sourcify(), etherscan: etherscan() })).toEqual([
      'AicStaking: null',
      'AicStaking: null',
    ])
  })

  test('error: a refusal is reported, and the next explorer is still asked', async () => {
    answers = [
      JSON.stringify({ verificationId: 'job' }),
      done(null),
      said('guid'),
      said('Fail - Unable to verify', '0'),
    ]
    expect(await verify({ sourcify: sourcify(), etherscan: etherscan() })).toEqual([
      'AicStaking: Sourcify: no match',
      'AicStaking: Etherscan: Fail - Unable to verify',
    ])
    answers = [503, said('Invalid API Key', '0')]
    expect(await verify({ sourcify: sourcify(), etherscan: etherscan() })).toEqual([
      'AicStaking: Sourcify answers 503: {}',
      'AicStaking: Etherscan: Invalid API Key',
    ])
  })

  const outputSchema = z.object({
    contracts: z.record(
      z.string(),
      z.record(z.string(), z.object({ evm: z.object({ bytecode: z.object({ object: z.string() }) }) })),
    ),
  })
})
