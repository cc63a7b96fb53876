import { expect, test } from 'vitest'
import { replacingFees } from './fees.ts'

const fees = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) => ({ maxFeePerGas, maxPriorityFeePerGas })

test('default: both fees rise by an eighth, rounded up', () => {
  expect(replacingFees(fees(800n, 80n), fees(1n, 1n), 10_000n)).toEqual(fees(900n, 90n))
  expect(replacingFees(fees(801n, 81n), fees(1n, 1n), 10_000n)).toEqual(fees(902n, 92n))
})

test('behavior: fees of a more expensive network are followed', () => {
  expect(replacingFees(fees(800n, 80n), fees(5_000n, 200n), 10_000n)).toEqual(fees(5_000n, 200n))
})

test('behavior: a tip of zero rises too', () => {
  expect(replacingFees(fees(800n, 0n), fees(1n, 0n), 10_000n)).toEqual(fees(900n, 1n))
})

test('behavior: fees stop at the cap, and below an eighth more there is no replacement', () => {
  expect(replacingFees(fees(800n, 80n), fees(5_000n, 200n), 900n)).toEqual(fees(900n, 200n))
  expect(replacingFees(fees(800n, 80n), fees(5_000n, 200n), 899n)).toBeNull()
  expect(replacingFees(fees(800n, 800n), fees(5_000n, 200n), 900n)).toEqual(fees(900n, 900n))
})
