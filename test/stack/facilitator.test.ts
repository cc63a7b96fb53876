import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { facilitatorKey } from '../../dev/anvil/accounts.ts'
import { type RunningChain, startChain } from '../../dev/anvil/chain.ts'
import { createRpc } from '../../dev/anvil/rpc.ts'
import { freePort } from '../../dev/process/ports.ts'
import { makePgStore, type PgSettlementStore } from '../../facilitator/pg-store.ts'
import { fundedKeys, heldKeysAt, queryTables, transfersTo } from '../helpers/facilitator-process.ts'
import { startPostgres, type TestPostgres } from '../helpers/postgres.ts'
import { type Program, startProgram } from '../helpers/program.ts'
import { makeX402Requests } from '../helpers/x402-request.ts'

const MAIN = join(import.meta.dirname, '../../facilitator/main.ts')
const TOKEN = 'a bearer of more than thirty-two characters'
const settledSchema = z.looseObject({
  success: z.boolean(),
  transaction: z.string(),
  errorReason: z.string().optional(),
})

// Started while the file is read, so that the tests know whether there is one.
const postgres: TestPostgres | null = await startPostgres()
let chain: RunningChain
let store: PgSettlementStore
let payment: ReturnType<typeof makeX402Requests>
let port: number
const running = new Set<Program>()

beforeAll(async () => {
  if (postgres === null) return
  chain = await startChain({ buyers: 1 })
  payment = makeX402Requests(chain)
  store = makePgStore(postgres.url)
  port = await freePort()
  // A block each second and none in between, as on a real chain.
  const rpc = createRpc(chain.url)
  await rpc.call('evm_setAutomine', false)
  await rpc.call('evm_setIntervalMining', 1)
})
afterEach(async () => {
  for (const program of running) program.kill('SIGKILL')
  await Promise.all([...running].map(({ ended }) => ended))
})
afterAll(async () => {
  await store?.close()
  await chain?.close()
  await postgres?.close()
})

const environment = (change: Record<string, string> = {}): Record<string, string> => ({
  PORT: `${port}`,
  DATABASE_URL: postgres?.url ?? '',
  FACILITATOR_PRIVATE_KEY: facilitatorKey().privateKey,
  FACILITATOR_TOKEN: TOKEN,
  PAYMENT_NETWORKS: 'eip155:31337',
  DEV_RPC_URL: chain.url,
  DEV_USDC_ADDRESS: chain.usdc,
  RECEIVER_ADDRESS: chain.payTo,
  ...change,
})

function start(change?: Record<string, string>): Program {
  const program = startProgram({ args: [MAIN], env: environment(change) })
  running.add(program)
  void program.ended.then(() => running.delete(program))
  return program
}

async function started(change?: Record<string, string>): Promise<Program> {
  const program = start(change)
  await program.event('listening')
  return program
}

async function stopped(program: Program): Promise<void> {
  program.kill('SIGTERM')
  expect(await program.ended).toBe(0)
}

async function settle(body: unknown, { signal, at = port }: { signal?: AbortSignal; at?: number } = {}) {
  const response = await fetch(`http://127.0.0.1:${at}/settle`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
  return settledSchema.parse(await response.json())
}

/** Sends the same payment again until the answer is final, to the second port when the first one does not answer. */
async function settleUntilAnswered(body: unknown, at = port, then = at) {
  const deadline = Date.now() + 90_000
  for (;;) {
    const answer = await settle(body, { at }).catch(() => settle(body, { at: then }).catch(() => null))
    const isFinal = answer !== null && !/pending|duplicate/.test(answer.errorReason ?? '')
    if (isFinal || Date.now() > deadline) return answer
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/** Waits until at least `count` settlements are stored and not mined. */
const untilOpen = (count: number): Promise<void> =>
  expect
    .poll(async () => (await store.inFlight('eip155:31337')).length, { interval: 5, timeout: 60_000 })
    .toBeGreaterThanOrEqual(count)

/** Makes stored transactions look as if they had waited at their fees. */
const aMinuteLater = () =>
  queryTables(postgres?.url ?? '', `update facilitator.transactions set priced_at = priced_at - interval '61 seconds'`)

/** Settlements whose answer was not sent. */
const unanswered = () => queryTables(postgres?.url ?? '', 'select key from facilitator.settlements')

describe.skipIf(postgres === null)('the facilitator as a program (skipped where PostgreSQL is not installed)', () => {
  test('behavior: of fifty payments at once and a kill each settles once and is answered', async () => {
    const before = await transfersTo(chain)
    let program = await started()
    const bodies = await Promise.all(Array.from({ length: 50 }, () => payment()))
    const answers = Promise.all(bodies.map((body) => settleUntilAnswered(body)))
    await untilOpen(15)
    program.kill('SIGKILL')
    expect(await program.ended).toBe('SIGKILL')
    expect((await store.inFlight('eip155:31337')).length).toBeGreaterThan(0)
    program = await started()
    const settled = await answers
    expect(settled.map((answer) => answer?.errorReason ?? answer?.success)).toEqual(Array(50).fill(true))
    const hashes = settled.map((answer) => answer?.transaction).sort()
    expect((await transfersTo(chain)).slice(before.length).sort()).toEqual(hashes)
    // An answer that left right before the kill may have left its entry: who asks again gets it again. The others are refused.
    const second = await Promise.all(bodies.map((body) => settle(body)))
    for (const [i, said] of second.entries()) expect(said.transaction).toBe(said.success ? settled[i]?.transaction : '')
    await expect.poll(unanswered).toEqual([])
    expect(await settle(bodies[0])).toMatchObject({ success: false, transaction: '' })
    await stopped(program)
  })

  test('behavior: a caller that disconnected gets the answer when it comes back', async () => {
    const program = await started()
    const body = await payment()
    const disconnect = new AbortController()
    const gone = settle(body, { signal: disconnect.signal }).catch(() => 'gone')
    await untilOpen(1)
    const [sent] = await store.open('eip155:31337')
    disconnect.abort()
    expect(await gone).toBe('gone')
    // While the first call is running, a second one gets no outcome.
    const again = async () => {
      const answer = await settle(body)
      return answer.errorReason === 'duplicate_settlement' ? answer.errorReason : answer
    }
    await expect.poll(again, { timeout: 30_000 }).toMatchObject({ success: true, transaction: sent?.hash })
    await stopped(program)
  })

  test('error: another signature on an open authorization gets no outcome', async () => {
    const program = await started()
    const body = await payment()
    const rpc = createRpc(chain.url)
    await rpc.call('evm_setIntervalMining', 0)
    const honest = settle(body)
    await untilOpen(1)
    const forged = structuredClone(body)
    forged.paymentPayload.payload.signature = `0x${'11'.repeat(64)}1b`
    expect(await settle(forged)).toMatchObject({ success: false, errorReason: 'duplicate_settlement', transaction: '' })
    await rpc.call('evm_setIntervalMining', 1)
    expect(await honest).toMatchObject({ success: true })
    await stopped(program)
  })

  test('behavior: SIGTERM waits for the running settlement', async () => {
    const program = await started()
    const answer = settle(await payment())
    await untilOpen(1)
    program.kill('SIGTERM')
    expect(await answer).toMatchObject({ success: true })
    expect(await program.ended).toBe(0)
  })

  test('error: a stored transaction that was never sent is sent by the next process', async () => {
    const first = await started()
    const rpc = createRpc(chain.url)
    await rpc.call('evm_setIntervalMining', 0)
    const body = await payment()
    const lost = settle(body).catch(() => 'lost')
    await untilOpen(1)
    first.kill('SIGKILL')
    expect(await lost).toBe('lost')
    await first.ended
    const [open] = await store.open('eip155:31337')
    await rpc.call('anvil_dropTransaction', open?.hash)
    await rpc.call('evm_setIntervalMining', 1)
    const second = await started()
    expect(await settleUntilAnswered(body)).toMatchObject({ success: true, transaction: open?.hash })
    await stopped(second)
  })

  test('behavior: a stuck transaction is replaced by the next process, and settles once', async () => {
    const first = await started()
    const rpc = createRpc(chain.url)
    const block = async (baseFeeGwei: number) => {
      await rpc.call('anvil_setNextBlockBaseFeePerGas', `0x${(baseFeeGwei * 1e9).toString(16)}`)
      await rpc.call('evm_mine')
    }
    await rpc.call('evm_setIntervalMining', 0)
    await block(1)
    const before = await transfersTo(chain)
    const body = await payment()
    const lost = settle(body).catch(() => 'lost')
    await untilOpen(1)
    first.kill('SIGKILL')
    expect(await lost).toBe('lost')
    await first.ended
    await block(50)
    const [old] = await store.open('eip155:31337')
    await aMinuteLater()
    const second = await started()
    const [open] = await store.open('eip155:31337')
    expect(open?.replaced).toEqual([old?.hash])
    await block(50)
    await rpc.call('evm_setIntervalMining', 1)
    expect(await settleUntilAnswered(body)).toMatchObject({ success: true, transaction: open?.hash })
    expect((await transfersTo(chain)).slice(before.length)).toEqual([open?.hash])
    await stopped(second)
  })

  test('behavior: a second process with the same key stands by, and takes over within 10 s', async () => {
    const first = await started()
    const otherPort = await freePort()
    const second = start({ PORT: `${otherPort}` })
    await second.event('standing_by')
    const body = await payment()
    const lost = settle(body).catch(() => 'lost')
    await untilOpen(1)
    const killedAt = Date.now()
    first.kill('SIGKILL')
    await lost
    await second.event('listening')
    expect(Date.now() - killedAt).toBeLessThan(10_000)
    expect(await settleUntilAnswered(body, otherPort)).toMatchObject({ success: true })
    await stopped(second)
  })

  test('behavior: two processes share four keys; one is killed in a storm and nothing is lost', async () => {
    const keys = await fundedKeys(chain.url, 4)
    const ports = [port, await freePort()]
    const both = ports.map((at) =>
      start({ PORT: `${at}`, FACILITATOR_PRIVATE_KEY: '', FACILITATOR_PRIVATE_KEYS: keys.join(',') }),
    )
    const [first, second] = both
    if (first === undefined || second === undefined) throw new Error('no process')
    await Promise.all(both.map((program) => program.event('listening')))
    await expect.poll(() => Promise.all(ports.map(heldKeysAt)), { timeout: 20_000 }).toEqual([2, 2])
    const before = await transfersTo(chain)
    const bodies = await Promise.all(Array.from({ length: 40 }, () => payment()))
    // Each caller asks the other process when its own does not answer, as behind a balancer.
    const answers = Promise.all(bodies.map((body, index) => settleUntilAnswered(body, ports[index % 2], ports[1])))
    await untilOpen(10)
    first.kill('SIGKILL')
    await first.ended
    const settled = await answers
    expect(settled.map((answer) => answer?.errorReason ?? answer?.success)).toEqual(Array(40).fill(true))
    const hashes = settled.map((answer) => answer?.transaction)
    expect((await transfersTo(chain)).slice(before.length).sort()).toEqual(hashes.sort())
    await expect.poll(() => heldKeysAt(ports[1] ?? 0), { timeout: 15_000 }).toBe(4)
    await stopped(second)
  })

  test('error: a faulty configuration names every fault and no value', async () => {
    const program = start({
      FACILITATOR_TOKEN: 'short',
      RECEIVER_ADDRESS: '',
      PAYMENT_NETWORKS: 'eip155:31337,eip155:5',
    })
    expect(await program.ended).toBe(1)
    expect(program.lines).toHaveLength(1)
    expect(program.lines[0]?.['faults']).toEqual([
      'FACILITATOR_TOKEN must have at least 32 characters',
      'RECEIVER_ADDRESS is missing',
      expect.stringMatching(/^PAYMENT_NETWORKS takes eip155:1, /),
    ])
  })

  test('behavior: health shows balance and lost gas, and warns below the threshold', async () => {
    const program = await started({ FACILITATOR_LOW_BALANCE_ETHER: '1000000' })
    expect(await program.event('balance.low')).toMatchObject({ level: 'warn', network: 'eip155:31337' })
    const response = await fetch(`http://127.0.0.1:${port}/health`)
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        status: 'low_balance',
        store: 'ok',
        balances: { 'eip155:31337': expect.stringMatching(/^\d+\.\d+$/) },
        lostGas: { 'eip155:31337': '0' },
        keys: { [facilitatorKey().account.address]: { held: true, balances: expect.anything() } },
      },
    ])
    await stopped(program)
  })
})
