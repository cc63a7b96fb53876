import { expect, it } from 'vitest'
import { readOptions } from './options.ts'

const SIGNER = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'

it('default: a receipt, its outputs in order, and who and where to ask', () => {
  const argv = ['receipt.json', 'a.webp', 'b.webp', '--signer', SIGNER, '--rpc', 'http://127.0.0.1:8545']
  const options = { file: 'receipt.json', outputs: ['a.webp', 'b.webp'], signer: SIGNER, rpc: 'http://127.0.0.1:8545' }
  expect(readOptions(argv)).toEqual(options)
  expect(readOptions(['--help'])).toBeNull()
})

it.each([
  [[], 'Which receipt?'],
  [['receipt.json', '--signer', '0x1'], '--signer 0x1: give an address'],
  [['receipt.json', '--rpc', 'localhost'], '--rpc localhost: give a URL'],
  [['receipt.json', '--bogus'], "Unknown option '--bogus'"],
])('error: UsageError for %j', (argv, words) => {
  expect(() => readOptions(argv)).toThrow(words)
})
