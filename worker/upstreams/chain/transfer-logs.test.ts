import { type Address, type Hex, toEventSelector, toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import type { TransferQuery } from './chain.ts'
import { callData, SELECTORS, word } from './rpc-values.ts'
import { findTransfer, TOPICS } from './transfer-logs.ts'

const USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const PAYER = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
const PAYEE = '0x000000000000000000000000000000000000dEaD'
const OTHER = '0x1563915e194D8CfBA1943570603F7606A3115508'
const nonce = (digit: number): Hex => `0x${digit.toString(16).padStart(64, '0')}`
const query: TransferQuery = {
  chainId: 84532,
  asset: USDC,
  payer: PAYER,
  payTo: PAYEE,
  amount: 10_000n,
  nonce: nonce(1),
}

type Step = { topics: Hex[]; data: Hex; token?: Address }
const used = (digit: number, payer: Address = PAYER): Step => ({
  topics: [TOPICS.used, word(payer), word(nonce(digit))],
  data: '0x',
})
const moved = (amount = 10_000n, to: Address = PAYEE, token: Address = USDC): Step => ({
  topics: [TOPICS.transfer, word(PAYER), word(to)],
  data: word(amount),
  token,
})
/** A receipt whose first log is the seventh of its block. */
const receipt = (...steps: Step[]) =>
  steps.map(({ topics, data, token = USDC }, index) => ({
    address: `0x${token.slice(2).toLowerCase()}` as const,
    topics,
    data,
    logIndex: index + 7,
  }))

describe('findTransfer', () => {
  it('default: the transfer after the nonce’s own mark', () => {
    expect(findTransfer(receipt(used(1), moved()), query)).toBe(8)
  })

  it('behavior: of many settlements in one transaction each nonce gets its own transfer', () => {
    const logs = receipt(used(3), moved(), used(1), moved(), used(2), moved())
    expect([1, 2, 3].map((digit) => findTransfer(logs, { ...query, nonce: nonce(digit) }))).toEqual([10, 12, 8])
  })

  it('behavior: logs of other tokens between the two do not matter', () => {
    expect(findTransfer(receipt(moved(5n, PAYEE, OTHER), used(1), moved(10_000n, PAYEE, OTHER), moved()), query)).toBe(
      10,
    )
  })

  it.each([
    ['the nonce is not there', receipt(used(2), moved())],
    ['another account used that nonce', receipt(used(1, OTHER), moved())],
    ['the transfer came before the mark', receipt(moved(), used(1))],
    ['less was moved', receipt(used(1), moved(9_999n))],
    ['it went to another address', receipt(used(1), moved(10_000n, OTHER))],
    ['the nonce moved something else, and a look-alike follows', receipt(used(1), moved(10_000n, OTHER), moved())],
    ['another token moved', receipt(used(1), moved(10_000n, PAYEE, OTHER))],
    ['nothing happened', []],
  ])('error: null when %s', (_case, logs) => {
    expect(findTransfer(logs, query)).toBeNull()
  })
})

describe('words of the wire', () => {
  it('default: selectors and topics are those of the functions and events they name', () => {
    for (const [signature, selector] of Object.entries(SELECTORS)) expect(selector).toBe(toFunctionSelector(signature))
    expect(TOPICS.transfer).toBe(toEventSelector('Transfer(address,address,uint256)'))
    expect(TOPICS.used).toBe(toEventSelector('AuthorizationUsed(address,bytes32)'))
    expect(TOPICS.cancelled).toBe(toEventSelector('AuthorizationCanceled(address,bytes32)'))
  })

  it('default: arguments are words of 32 bytes', () => {
    expect(callData('authorizationState(address,bytes32)', PAYER, nonce(0xab))).toBe(
      `0xe94a0102${'0'.repeat(24)}19e7e376e7c213b7e7e7e46cc70a5dd086daff2a${'0'.repeat(62)}ab`,
    )
  })
})
