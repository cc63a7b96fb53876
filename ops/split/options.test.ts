import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfigError } from '../../worker/config/reader.ts'
import { readSplitOptions } from './options.ts'

const KEY = `0x${'11'.repeat(32)}`
/** Account of KEY. */
const OPERATOR = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'

const env = {
  PAYMENT_NETWORKS: 'eip155:8453,eip155:1',
  BASE_RPC_URL: 'https://rpc.example',
  DATABASE_URL: 'postgresql://user:secret@db.example/coinslot',
  AIC_PAYMENT_TOKEN_ADDRESS: '0x00000000000000000000000000000000000000a1',
  AIC_SPLITTER_ADDRESS: '0x00000000000000000000000000000000000000b2',
  AIC_BURN_BPS: '2000',
  SPLIT_PRIVATE_KEY: KEY,
}

async function faultsOf(variables: Record<string, string | undefined>): Promise<readonly string[]> {
  try {
    await readSplitOptions(variables)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keystore-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

/** A keystore as the operator's own tool makes it. */
function makeKeystore(password: string): string {
  const args = ['wallet', 'import', 'operator', '--private-key', KEY, '--unsafe-password', password]
  execFileSync('cast', [...args, '--keystore-dir', folder], { stdio: 'ignore' })
  return join(folder, readdirSync(folder)[0] ?? '')
}

test('default: AIC is on the first network, the key names the operator', async () => {
  expect(await readSplitOptions(env)).toMatchObject({
    network: { chainId: 8453, rpcUrl: 'https://rpc.example' },
    token: '0x00000000000000000000000000000000000000A1',
    splitter: '0x00000000000000000000000000000000000000b2',
    burnBps: 2000,
    operator: { address: OPERATOR },
    formerOperators: [],
    blocksPerCall: 10_000,
  })
})

test('behavior: the key can be in a keystore', async () => {
  const SPLIT_KEYSTORE = makeKeystore('correct horse')
  const variables = { ...env, SPLIT_PRIVATE_KEY: undefined, SPLIT_KEYSTORE, SPLIT_KEYSTORE_PASSWORD: 'correct horse' }
  expect((await readSplitOptions(variables)).operator.address).toBe(OPERATOR)
  expect(await faultsOf({ ...variables, SPLIT_KEYSTORE_PASSWORD: 'wrong' })).toEqual([
    expect.stringMatching(/^SPLIT_KEYSTORE cannot be opened/),
  ])
})

test('error: ConfigError names every fault at once and no value', async () => {
  const faults = await faultsOf({
    DATABASE_URL: 'mysql://secret',
    AIC_BURN_BPS: '10001',
    SPLIT_PRIVATE_KEY: '0xsecret',
  })
  expect(faults.map((fault) => fault.split(' ')[0]).sort()).toEqual([
    'AIC_BURN_BPS',
    'AIC_PAYMENT_TOKEN_ADDRESS',
    'AIC_SPLITTER_ADDRESS',
    'DATABASE_URL',
    'SPLIT_PRIVATE_KEY',
  ])
  expect(faults.join()).not.toContain('secret')
})

test('error: ConfigError when there are two keys', async () => {
  const variables = { ...env, SPLIT_KEYSTORE: makeKeystore('pw'), SPLIT_KEYSTORE_PASSWORD: 'pw' }
  expect(await faultsOf(variables)).toEqual(['SPLIT_PRIVATE_KEY must not be set with SPLIT_KEYSTORE'])
})

test('behavior: a Safe needs the receiver and no key', async () => {
  const variables = { ...env, SPLIT_PRIVATE_KEY: undefined, RECEIVER_ADDRESS: OPERATOR }
  expect((await readSplitOptions(variables, true)).operator).toEqual({ address: OPERATOR })
  await expect(readSplitOptions({ ...variables, RECEIVER_ADDRESS: undefined }, true)).rejects.toThrow(ConfigError)
})
