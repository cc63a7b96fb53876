import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startAnvil } from '../../dev/anvil/anvil.ts'
import { createRpc } from '../../dev/anvil/rpc.ts'
import { recordDeployment } from './record.ts'

const MADE = ['AicToken', 'WrappedAic', 'AicStaking', 'PaymentSplitter'] as const
const addressOf = (index: number) => `0x${'0'.repeat(38)}a${index}`
const hashOf = (index: number) => `0x${'0'.repeat(62)}b${index}`

let anvil: Awaited<ReturnType<typeof startAnvil>>
let folder: string
const addressesFile = () => join(folder, 'addresses.json')

beforeAll(async () => {
  anvil = await startAnvil({})
  folder = await mkdtemp(join(tmpdir(), 'record-'))
  await mkdir(join(folder, 'Deploy.s.sol', '31337'), { recursive: true })
})
afterAll(async () => {
  await anvil?.stop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await writeFile(addressesFile(), '{}')
  for (const index of MADE.keys()) await setCode(addressOf(index), '0x00')
})

async function setCode(address: string, code: string): Promise<void> {
  await createRpc(anvil.url).call('anvil_setCode', address, code)
}

/** Writes what forge leaves after a broadcast in which the contracts named in `mined` got a receipt with this status. */
async function broadcast(mined: readonly string[], status = '0x1'): Promise<void> {
  const transactions = MADE.map((contractName, index) => ({
    ...{ hash: hashOf(index), transactionType: 'CREATE', contractName },
  }))
  const receipts = MADE.flatMap((name, index) => {
    const made = { transactionHash: hashOf(index), contractAddress: addressOf(index), from: addressOf(9) }
    return mined.includes(name) ? [{ status, ...made }] : []
  })
  const file = join(folder, 'Deploy.s.sol', '31337', 'run-latest.json')
  await writeFile(file, JSON.stringify({ transactions, receipts }))
}

const record = (force = false) =>
  recordDeployment({ script: 'Deploy', rpcUrl: anvil.url, broadcastDir: folder, addressesFile: addressesFile(), force })
const recorded = async () => JSON.parse(await readFile(addressesFile(), 'utf8'))

test('default: contracts with a receipt and code are recorded, others of the file stay', async () => {
  await writeFile(addressesFile(), JSON.stringify({ 1: { token: 'x' }, 31337: { presale: 'y' } }))
  await broadcast(MADE)
  expect(Object.keys(await record())).toEqual(['token', 'wrapped', 'staking', 'splitter'])
  expect(await recorded()).toMatchObject({ 1: { token: 'x' }, 31337: { presale: 'y', staking: expect.any(String) } })
  // An AIC that existed before has no receipt.
  await broadcast(MADE.slice(1))
  expect(Object.keys(await record())).toEqual(['wrapped', 'staking', 'splitter'])
})

test('error: a broadcast that failed records nothing', async () => {
  await broadcast([])
  await expect(record()).rejects.toThrow('No receipt says that wrapped was made')
  await broadcast(MADE.slice(0, 3))
  await expect(record()).rejects.toThrow('No receipt says that splitter was made')
  await broadcast(MADE, '0x0')
  await expect(record()).rejects.toThrow('reverted')
  await broadcast(MADE)
  await setCode(addressOf(2), '0x')
  await expect(record()).rejects.toThrow('has no code')
  expect(await recorded()).toEqual({})
})

test('error: an entry is replaced only with force', async () => {
  await broadcast(MADE)
  await writeFile(addressesFile(), JSON.stringify({ 31337: { staking: addressOf(7) } }))
  await expect(record()).rejects.toThrow('names another staking already')
  expect(await recorded()).toEqual({ 31337: { staking: addressOf(7) } })
  await record(true)
  expect((await recorded())['31337'].staking.toLowerCase()).toBe(addressOf(2))
})
