import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { facilitatorKey } from '../../dev/anvil/accounts.ts'
import { createRpc, type Rpc } from '../../dev/anvil/rpc.ts'
import { type Buyer, problemSchema } from '../helpers/buyer.ts'
import { installSwitch, setCode, walletAt, walletCode } from '../helpers/contract-wallets.ts'
import { startTestStack, type TestStack } from '../helpers/stack.ts'
import { TASKS } from './fault-points.ts'

const SWITCH = walletAt(0, 0)
const HONEST = 6
const HOSTILE = 12
/** A hostile buyer sends each payment this often. */
const COPIES = 5

let stack: TestStack
let rpc: Rpc
let attack: Awaited<ReturnType<typeof installSwitch>>
let buyers: Buyer[]
let isMining = true
let mining: Promise<void> | undefined

/** The first buyers are plain accounts; each later one has a contract wallet's code, which reverts in every block. */
beforeAll(async () => {
  stack = await startTestStack({ buyers: HONEST + HOSTILE })
  rpc = createRpc(stack.info.rpcUrl)
  attack = await installSwitch(stack.info.rpcUrl, SWITCH)
  const wallets = stack.info.buyers.slice(HONEST)
  await Promise.all(wallets.map(({ address }) => setCode(rpc, address, walletCode.switched(SWITCH))))
  buyers = await Promise.all(stack.info.buyers.map((_, index) => stack.signedIn(index)))
  await rpc.call('evm_setAutomine', false)
  await rpc.call('evm_setIntervalMining', 0)
  mining = mineUntilEnd()
})
afterAll(async () => {
  isMining = false
  await mining
  await stack?.stop()
})

async function mineUntilEnd(): Promise<void> {
  while (isMining) {
    await pause(200)
    await attack.mineWithItOn()
  }
}

const bodyOf = (index: number) => ({
  ...TASKS.text,
  input: { prompt: `A purchase beside hostile ones, number ${index}` },
})

async function pay(buyer: Buyer, body: unknown, header: string) {
  const response = await buyer.pay(body, header)
  const { code, retryAfterSeconds = 1 } = problemSchema.parse(await response.json())
  return { status: response.status, code, retryAfterSeconds }
}

/** Sends one payment again until its answer is final, as a client does, for at most a minute. */
async function payUntilFinal(buyer: Buyer, body: unknown, header: string) {
  for (const end = Date.now() + 60_000; ; ) {
    const answer = await pay(buyer, body, header)
    if (![202, 409, 503].includes(answer.status) || Date.now() > end) return answer
    await pause(1_000 * answer.retryAfterSeconds)
  }
}

async function buyHonestly(buyer: Buyer, index: number): Promise<number> {
  const body = bodyOf(index)
  return (await payUntilFinal(buyer, body, await buyer.sign(await buyer.quote(body)))).status
}

async function buyHostilely(buyer: Buyer, index: number): Promise<string[]> {
  const body = bodyOf(index)
  const header = await buyer.sign(await buyer.quote(body))
  const answers: string[] = []
  for (let copy = 0; copy < COPIES; copy += 1) {
    const { status, code } = await payUntilFinal(buyer, body, header)
    answers.push(`${status} ${code}`)
  }
  return answers
}

const sentCount = async () =>
  Number(await rpc.call('eth_getTransactionCount', facilitatorKey().account.address, 'latest'))

test('behavior: beside hostile purchases every honest one ends in its result, and they get none', async () => {
  const before = await sentCount()
  const [honest, hostile] = await Promise.all([
    Promise.all(buyers.slice(0, HONEST).map(buyHonestly)),
    Promise.all(buyers.slice(HONEST).map((buyer, index) => buyHostilely(buyer, HONEST + index))),
  ])
  const sent = (await sentCount()) - before
  console.log(`${HONEST} honest purchases; ${HOSTILE * COPIES} hostile calls caused ${sent - HONEST} transactions`)
  expect(honest).toEqual(Array(HONEST).fill(200))
  expect(hostile.flat()).toEqual(Array(HOSTILE * COPIES).fill('402 payment_rejected'))
  expect(await stack.transfers()).toHaveLength(HONEST)
  expect(await stack.predictions()).toBe(HONEST)
  // At most one revert per hostile wallet, however often it sends its payment.
  expect(sent - HONEST).toBeLessThanOrEqual(HOSTILE)
})
