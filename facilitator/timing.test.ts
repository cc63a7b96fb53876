import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createClient, custom } from 'viem'
import { expect, test } from 'vitest'
import { makeCodes } from './chain/chain-client.ts'
import { makeReceipts } from './keys/receipts.ts'
import { makeMemoryStore } from './store/memory-store.ts'
import type { SentTransaction } from './store/store.ts'
import { makeTogether, realTiming } from './timing.ts'

test('behavior: what comes at one moment is done in one go, what comes later in the next', async () => {
  const goes: number[][] = []
  const double = makeTogether(async (items: number[]) => {
    goes.push(items)
    return items.map((item) => 2 * item)
  })
  expect(await Promise.all([double(1), double(2), double(1)])).toEqual([2, 4, 2])
  expect(await double(3)).toBe(6)
  expect(goes).toEqual([[1, 2, 1], [3]])
})

test('error: a go that fails fails for all its items, and for no later one', async () => {
  let fails = true
  const read = makeTogether(async (items: number[]) => {
    if (fails) throw new Error('no answer')
    return items
  })
  const both = await Promise.allSettled([read(1), read(2)])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await read(3)).toBe(3)
})

test('error: from a node that takes no calls together, each account’s code is read by itself', async () => {
  const node = createServer(async (request, response) => {
    const asked = JSON.parse(await text(request))
    const isMany = Array.isArray(asked)
    const error = { code: -32_600, message: 'too many calls in one request' }
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ jsonrpc: '2.0', id: asked.id ?? null, ...(isMany ? { error } : { result: asked.params[0] }) }),
    )
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const rpcUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  const codeOf = makeCodes({ network: 'eip155:31337', rpcUrl, pollingIntervalMs: 50, timing: realTiming })
  const accounts = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`] as const
  expect(await Promise.all(accounts.map(codeOf))).toEqual(accounts)
  node.close()
})

test('error: a slow look for a receipt also answers those who came while it took', async () => {
  const hash = `0x${'33'.repeat(32)}` as const
  const id = { network: 'eip155:31337', signer: '0x1', accountNonce: 0 }
  const sent: SentTransaction = {
    ...{ ...id, gas: 1n, hash, raw: '0x', replaced: [], entries: [] },
    ...{ sentAt: new Date(0), pricedAt: new Date(0), minedAt: null },
  }
  const mined = { transactionHash: hash, blockNumber: '0x1', gasUsed: '0x1', status: '0x1', logs: [], to: '0x2' }
  const request = async ({ method }: { method: string }) => {
    if (method === 'eth_getTransactionReceipt') return mined
    throw new Error('no answer')
  }
  const slow = Promise.withResolvers<SentTransaction>()
  let looks = 0
  const read = async () => {
    looks += 1
    if (looks > 1) throw new Error('no answer')
    return slow.promise
  }
  const receipts = makeReceipts({
    ...{ client: createClient({ transport: custom({ request }, { retryCount: 0 }) }), network: id.network },
    store: { ...makeMemoryStore(), read },
    ...{ pollingIntervalMs: 8, timing: realTiming, log: () => undefined, onReceipt: async () => undefined },
  })
  expect(await receipts.wait(id, 0)).toBeNull()
  const second = receipts.wait(id, 60_000)
  slow.resolve(sent)
  expect(await second).toMatchObject({ hash })
})
