import { expect, it } from 'vitest'
import { waitForTransaction } from './wait-transaction.ts'

const SENT = { hash: '0xaa', from: '0x01' }

/** A node that answers with a receipt from its poll `minedAt` on, and with `count` as the sender's next nonce. */
function node({ minedAt = 1e9, status = '0x1', count = '0x5', failsUntil = 0, nonce = '0x5' as string | null }) {
  let polls = 0
  const request = async ({ method }: { method: string }): Promise<unknown> => {
    if (method === 'eth_getTransactionReceipt') {
      polls += 1
      if (polls <= failsUntil) throw new Error('the node is busy')
      return polls >= minedAt ? { status } : null
    }
    if (method === 'eth_getTransactionByHash') return nonce === null ? null : { nonce }
    return count
  }
  return { request, polls: () => polls }
}

const now = async (): Promise<void> => undefined

it.each([
  ['default: a mined transaction is done', { minedAt: 3 }, 'done'],
  ['error: a failed transaction is reverted', { minedAt: 2, status: '0x0' }, 'reverted'],
  ['behavior: failed reads are tried again', { minedAt: 12, failsUntil: 10 }, 'done'],
  ['behavior: a transaction that is sped up or cancelled ends as replaced', { count: '0x6' }, 'replaced'],
  ['behavior: a nonce that is used just before the receipt is known is done', { count: '0x6', minedAt: 3 }, 'done'],
] as const)('%s', async (_, options, end) => {
  expect(await waitForTransaction(node(options), SENT, now)).toBe(end)
})

it('error: a node that fails twenty times ends the wait with its error', async () => {
  const broken = node({ failsUntil: 100 })
  await expect(waitForTransaction(broken, SENT, now)).rejects.toThrow('the node is busy')
  expect(broken.polls()).toBe(20)
})
