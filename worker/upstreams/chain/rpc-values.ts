import type { Address, Hex } from 'viem'
import * as z from 'zod'
import { once } from '../../../db/once.ts'

/** JSON-RPC's hexadecimal numbers, as bigint. */
const quantity = once(() =>
  z
    .string()
    .regex(/^0x[0-9a-fA-F]+$/, { abort: true })
    .transform((text) => BigInt(text)),
)
/** Bytes in hexadecimal, in lower case so that they can be compared. */
export const bytes = once(() =>
  z
    .templateLiteral(['0x', z.string().regex(/^([0-9a-fA-F]{2})*$/)])
    .transform((text): Hex => `0x${text.slice(2).toLowerCase()}`),
)

export const blockSchema = once(() => z.object({ number: quantity(), timestamp: quantity() }))
export type Block = z.infer<ReturnType<typeof blockSchema>>

const logSchema = once(() =>
  z.object({
    address: bytes(),
    topics: z.array(bytes()),
    data: bytes(),
    logIndex: quantity().transform(Number),
    blockNumber: quantity(),
    transactionHash: bytes(),
  }),
)
export const logsSchema = once(() => z.array(logSchema()))
export type Log = z.infer<ReturnType<typeof logSchema>>

export const receiptSchema = once(() =>
  z.object({
    status: quantity(),
    blockNumber: quantity(),
    transactionHash: bytes(),
    logs: logsSchema(),
  }),
)
/** Null for a transaction that is not mined. */
export const minedSchema = once(() => receiptSchema().nullable())
export type Receipt = z.infer<ReturnType<typeof receiptSchema>>

export const hexOf = (value: bigint): Hex => `0x${value.toString(16)}`

/** An address, a number or 32 bytes as one ABI word: 32 bytes, padded on the left. */
export const word = (value: Address | Hex | bigint): Hex =>
  `0x${(typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, '0')}`

/** Selectors of all we ever call: an encoder for these few would weigh more than they do. Checked against viem in the test. */
export const SELECTORS = {
  'balanceOf(address)': '0x70a08231',
  'stakedBalance(address)': '0x60217267',
  'totalBurned()': '0xd89135cd',
  'authorizationState(address,bytes32)': '0xe94a0102',
  'DOMAIN_SEPARATOR()': '0x3644e515',
  'name()': '0x06fdde03',
} as const

/** Call data of one of these functions; every argument is one word. */
export const callData = (signature: keyof typeof SELECTORS, ...args: (Address | Hex)[]): Hex =>
  `0x${SELECTORS[signature].slice(2)}${args.map((arg) => word(arg).slice(2)).join('')}`
