import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isPortFree } from '../../dev/process/ports.ts'
import type { StackEvent } from '../../dev/stack/service-process.ts'
import { PortTakenError, startStack } from '../../dev/stack/stack.ts'
import { startTestStack, type TestStack } from '../helpers/stack.ts'

const text = {
  task: 'text-to-text',
  model: 'meta/meta-llama-3-8b-instruct',
  input: { prompt: 'Explain how a lighthouse helps a sailor' },
}

let stack: TestStack
/** Its data are kept here. */
let state: string
const events: StackEvent[] = []
const backAgain = new Map<string, () => void>()

beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), 'coinslot-'))
  stack = await startTestStack({
    state,
    onEvent: (event) => {
      events.push(event)
      if (event.kind === 'back') backAgain.get(event.service)?.()
    },
  })
})
afterAll(async () => {
  await stack?.stop()
  await rm(state, { recursive: true })
})

const untilBack = (part: string): Promise<void> => new Promise((resolve) => backAgain.set(part, resolve))

async function buyText(): Promise<number> {
  const buyer = await stack.signedIn()
  return (await buyer.pay(text, await buyer.sign(await buyer.quote(text)))).status
}

test('behavior: a killed worker answers again on its port, in another process', async () => {
  const before = { ...stack.info }
  await stack.killWorker()
  const response = await fetch(`${before.origin}/api/auth/session`)
  expect(response.status).toBe(200)
  expect(stack.info.origin).toBe(before.origin)
  expect(stack.info.workerPid).not.toBe(before.workerPid)
})

test('behavior: a killed chain keeps its balances, and the facilitator settles on it again', async () => {
  expect(await buyText()).toBe(200)
  const back = Promise.all([untilBack('chain'), untilBack('facilitator')])
  stack.killService('chain')
  await back
  expect(events).toContainEqual({ kind: 'died', service: 'chain', how: 'killed by SIGKILL' })
  expect(await buyText()).toBe(200)
})

test.each(['database', 'store', 'provider'] as const)(
  'behavior: a killed %s starts again on its port',
  async (part) => {
    const back = untilBack(part)
    stack.killService(part)
    await back
    expect(await buyText()).toBe(200)
  },
)

test('behavior: the scheduled job cannot be started from outside', async () => {
  await stack.tick()
  for (const path of ['/cdn-cgi/handler/scheduled', '/cdn-cgi/local/scheduled', '/__scheduled']) {
    expect((await fetch(`${stack.info.origin}${path}`, { method: 'POST' })).status).toBe(405)
  }
})

test('error: a port in use is refused', async () => {
  const port = Number(new URL(stack.info.origin).port)
  await expect(startStack({ port, site: false })).rejects.toThrow(PortTakenError)
})

// Last, since it ends the stack.
test('behavior: a kept stack starts again with its sessions, records and balances', async () => {
  const buyer = await stack.signedIn(1)
  const header = await buyer.sign(await buyer.quote(text))
  const answer: { id: string } = await (await buyer.pay(text, header)).json()
  const balance = await stack.balance(buyer.account.address)
  const transfers = await stack.transfers()
  await stack.stop()
  const port = Number(new URL(stack.info.origin).port)
  expect(await isPortFree(port)).toBe(true)

  stack = await startTestStack({ state, port })
  expect(await stack.balance(buyer.account.address)).toBe(balance)
  // The same client with its old cookie: the payment is known, so the stored outcome is returned.
  const again = await buyer.pay(text, header)
  expect(again.status).toBe(200)
  expect(await again.json()).toMatchObject({ id: answer.id, status: 'succeeded' })
  expect(await stack.transfers()).toEqual(transfers)
  expect(await readFile(join(state, 'logs/worker.log'), 'utf8')).not.toBe('')
})
