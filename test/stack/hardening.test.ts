import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployerKey } from '../../dev/anvil/accounts.ts'
import { createRpc } from '../../dev/anvil/rpc.ts'
import { fuzz } from '../fuzz/run.ts'
import type { Buyer } from '../helpers/buyer.ts'
import { borrowTestStack, type TestStack } from '../helpers/stack.ts'

const abi = parseAbi([
  'function blacklist(address account)',
  'function unBlacklist(address account)',
  'function pause()',
  'function unpause()',
])
const order = {
  task: 'text-to-text',
  model: 'meta/meta-llama-3-8b-instruct',
  input: { prompt: 'What does a lighthouse do?' },
}

let stack: TestStack
beforeAll(async () => {
  stack = await borrowTestStack()
})
afterAll(() => stack?.stop())

/** USDC's own roles, all of them the deployer's on the dev chain. */
async function token(functionName: 'pause' | 'unpause'): Promise<void>
async function token(functionName: 'blacklist' | 'unBlacklist', account: Hex): Promise<void>
async function token(functionName: 'pause' | 'unpause' | 'blacklist' | 'unBlacklist', account?: Hex): Promise<void> {
  const data =
    functionName === 'pause' || functionName === 'unpause'
      ? encodeFunctionData({ abi, functionName })
      : encodeFunctionData({ abi, functionName, args: [account ?? '0x'] })
  const from = deployerKey().account.address
  await createRpc(stack.info.rpcUrl).transact([{ from, to: stack.info.usdc, data }])
}

const world = async () => ({
  transfers: (await stack.transfers()).length,
  predictions: await stack.predictions(),
  inferences: (await stack.rows('inferences')).length,
})

async function longPayment(buyer: Buyer): Promise<string> {
  return buyer.sign(await buyer.quote(order), { validBefore: String(Math.floor(Date.now() / 1000) + 600) })
}

async function expectRefusedThenServed(buyer: Buyer, breakIt: () => Promise<void>, mend: () => Promise<void>) {
  const header = await longPayment(buyer)
  const before = await world()
  await breakIt()
  try {
    const refused = await buyer.pay(order, header)
    const problem: Record<string, unknown> = await refused.json()
    expect([refused.status, problem['code'], problem['paymentState']]).toEqual([402, 'payment_rejected', 'unused'])
    expect(await world()).toEqual(before)
  } finally {
    await mend()
  }
  expect((await buyer.pay(order, header)).status).toBe(200)
  const { transfers, predictions, inferences } = before
  expect(await world()).toEqual({ transfers: transfers + 1, predictions: predictions + 1, inferences: inferences + 1 })
}

describe('a token that refuses', () => {
  it('behavior: a payer on the token’s blocklist is refused; off it, the same payment buys', async () => {
    const buyer = await stack.signedIn(0)
    const { address } = buyer.account
    await expectRefusedThenServed(
      buyer,
      () => token('blacklist', address),
      () => token('unBlacklist', address),
    )
  })

  it('behavior: with the payee on the token’s blocklist nothing is charged', async () => {
    const payTo = stack.info.payTo
    await expectRefusedThenServed(
      await stack.signedIn(1),
      () => token('blacklist', payTo),
      () => token('unBlacklist', payTo),
    )
  })

  it('behavior: a paused token uses no payment up: the same one buys later', async () => {
    await expectRefusedThenServed(
      await stack.signedIn(2),
      () => token('pause'),
      () => token('unpause'),
    )
  })
})

describe('workerd', () => {
  it('behavior: 50 calls at once and 50 in a row, of every kind, share no I/O between requests', async () => {
    const buyer = await stack.signedIn(3)
    const paths = ['/api/auth/session', '/api/account', '/api/inferences', '/api/stats', '/api/models', '/api/health']
    const call = async (index: number) => {
      const path = paths[index % paths.length] ?? '/api/health'
      const response = await buyer.call(path)
      await response.arrayBuffer()
      return { path, status: response.status }
    }
    const together = await Promise.all(Array.from({ length: 50 }, (_, index) => call(index)))
    const apart: typeof together = []
    for (let index = 0; index < 50; index += 1) apart.push(await call(index))
    // Health waits two seconds for the database, and a busy machine may take longer.
    const failed = [...together, ...apart].filter(({ path, status }) => status !== 200 && path !== '/api/health')
    expect(failed).toEqual([])
    await expect.poll(async () => (await buyer.call('/api/health')).status, { interval: 1_000 }).toBe(200)
  })

  it('behavior: 500 broken requests: no 5xx, nothing charged, nothing slow, nothing leaked', async () => {
    const report = await fuzz(stack.info, { requests: 500, seed: 20_261_127 })
    expect(report.unexpected).toEqual([])
    expect(report.purchases).toBe(3)
  })
})
