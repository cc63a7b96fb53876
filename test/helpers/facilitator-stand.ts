import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import * as z from 'zod'
import { facilitatorKey } from '../../dev/anvil/accounts.ts'
import { type RunningChain, startChain } from '../../dev/anvil/chain.ts'
import { createRpc, type Rpc } from '../../dev/anvil/rpc.ts'
import { freePort } from '../../dev/process/ports.ts'
import { bundleProgram } from '../../dev/process/program-bundle.ts'
import { makePgStore, type PgSettlementStore } from '../../facilitator/store/pg-store.ts'
import { queryTables } from './facilitator-process.ts'
import { startPostgres } from './postgres.ts'
import { type Program, startProgram } from './program.ts'
import { makeX402Requests } from './x402-request.ts'

const TOKEN = 'a bearer of more than thirty-two characters'
const settledSchema = z.looseObject({
  success: z.boolean(),
  transaction: z.string(),
  errorReason: z.string().optional(),
})

interface Stand {
  chain: RunningChain
  rpc: Rpc
  store: PgSettlementStore
  payment: ReturnType<typeof makeX402Requests>
  port: number
}

/**
 * A chain with a block each second, a database and a port for the facilitator as a program. Call it while a test file is read:
 * `isThere` says whether PostgreSQL is installed.
 */
export async function facilitatorStand() {
  const main = await bundleProgram('facilitator')
  const postgres = await startPostgres()
  const running = new Set<Program>()
  let stand: Stand | undefined
  const get = (): Stand => {
    if (stand === undefined) throw new Error('the stand is not there yet')
    return stand
  }
  const calls = callsTo(get)

  beforeAll(async () => {
    if (postgres === null) return
    const chain = await startChain({ buyers: 1 })
    const rpc = createRpc(chain.url)
    const payment = makeX402Requests(chain)
    stand = { chain, rpc, payment, store: makePgStore(postgres.url), port: await freePort() }
    await rpc.call('evm_setAutomine', false)
    await calls.resumeBlocks()
  })
  afterEach(async () => {
    if (stand !== undefined) await calls.resumeBlocks()
    for (const program of running) program.kill('SIGKILL')
    await Promise.all([...running].map(({ ended }) => ended))
  })
  afterAll(async () => {
    await stand?.store.close()
    await stand?.chain.close()
    await postgres?.close()
  })

  function start(change: Record<string, string> = {}): Program {
    const env = { ...environment(get()), DATABASE_URL: postgres?.url ?? '', ...change }
    const program = startProgram({ args: [main], env })
    running.add(program)
    void program.ended.then(() => running.delete(program))
    return program
  }

  return {
    isThere: postgres !== null,
    get,
    start,
    async started(change?: Record<string, string>): Promise<Program> {
      const program = start(change)
      await program.event('listening')
      return program
    },
    async stopped(program: Program): Promise<void> {
      program.kill('SIGTERM')
      expect(await program.ended).toBe(0)
    },
    ...calls,
    /** Runs a statement on the facilitator's tables. */
    query: (text: string) => queryTables(postgres?.url ?? '', text),
  }
}

const environment = ({ chain, port }: Stand): Record<string, string> => ({
  PORT: `${port}`,
  FACILITATOR_PRIVATE_KEY: facilitatorKey().privateKey,
  FACILITATOR_TOKEN: TOKEN,
  PAYMENT_NETWORKS: 'eip155:31337',
  DEV_RPC_URL: chain.url,
  DEV_USDC_ADDRESS: chain.usdc,
  RECEIVER_ADDRESS: chain.payTo,
})

/** Calls of the program at the stand's port, and what its store holds. */
function callsTo(get: () => Stand) {
  async function settle(body: unknown, { signal, at = get().port }: { signal?: AbortSignal; at?: number } = {}) {
    const response = await fetch(`http://127.0.0.1:${at}/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })
    return settledSchema.parse(await response.json())
  }

  return {
    settle,
    /** Sends the same payment again until the answer is final, to the second port when the first one does not answer. */
    async settleUntilAnswered(body: unknown, at = get().port, then = at) {
      const deadline = Date.now() + 90_000
      for (;;) {
        const answer = await settle(body, { at }).catch(() => settle(body, { at: then }).catch(() => null))
        const isFinal = answer !== null && !/pending|duplicate/.test(answer.errorReason ?? '')
        if (isFinal || Date.now() > deadline) return answer
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
    },
    /** Makes no block until `resumeBlocks` or the end of the test: a settlement that is sent meanwhile stays open. */
    holdBlocks: () => get().rpc.call('evm_setIntervalMining', 0),
    /** Makes a block each second and none in between, as on a real chain. */
    resumeBlocks: () => get().rpc.call('evm_setIntervalMining', 1),
    /** Waits until at least `count` settlements are stored and not mined. Blocks must be held: the next one ends that state. */
    untilOpen: (count: number): Promise<void> =>
      expect
        .poll(async () => (await get().store.inFlight('eip155:31337')).length, { interval: 5, timeout: 60_000 })
        .toBeGreaterThanOrEqual(count),
  }
}
