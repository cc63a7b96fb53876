import { type Address, createClient, custom, parseAbi } from 'viem'
import { readContract } from 'viem/actions'
import { expect, it } from 'vitest'
import { ofOtherContract } from './read-safe.ts'

const address: Address = `0x${'5a'.repeat(20)}`
const abi = parseAbi(['function getThreshold() view returns (uint256)'])

/** Asks a node whose every answer is `answer`, or whose every call throws it. */
const thresholdFrom = (answer: unknown): Promise<bigint | null> => {
  const request = async (): Promise<unknown> => {
    if (answer instanceof Error) throw answer
    return answer
  }
  const client = createClient({ transport: custom({ request }, { retryCount: 0 }) })
  return readContract(client, { abi, address, functionName: 'getThreshold' }).catch(ofOtherContract)
}

it('behavior: a contract without the function of a Safe is another contract', async () => {
  expect(await thresholdFrom('0x')).toBeNull()
  expect(await thresholdFrom(Object.assign(new Error('execution reverted'), { code: 3 }))).toBeNull()
  expect(await thresholdFrom(`0x${'2'.padStart(64, '0')}`)).toBe(2n)
})

it('error: a node that does not answer says nothing about the account', async () => {
  await expect(thresholdFrom(Object.assign(new Error('too many requests'), { code: -32005 }))).rejects.toThrow()
  await expect(thresholdFrom(new Error('fetch failed'))).rejects.toThrow()
})
