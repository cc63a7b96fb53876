import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findRunningStack, type ReadyFacts, readyLine, removeStackFile, writeStackFile } from './facts.ts'

const FACTS: ReadyFacts = {
  ready: true,
  origin: 'http://127.0.0.1:1',
  rpcUrl: 'http://127.0.0.1:2',
  chainId: 31337,
  network: 'eip155:31337',
  usdc: '0x01',
  aic: '0x02',
  contracts: { aicToken: '0x02' },
  payTo: '0x03',
  facilitatorUrl: null,
  databaseUrl: 'postgres://x',
  databaseHttpUrl: 'http://127.0.0.1:4/sql',
  objectStoreUrl: 'http://127.0.0.1:5',
  publicUrl: 'http://127.0.0.1:5/coinslot',
  modelProviderUrl: 'http://127.0.0.1:6/v1',
  webhookSecret: 'whsec_x',
  buyers: [{ address: '0x04', privateKey: '0x05' }],
  workerPid: 7,
  logDir: '/logs',
}

test('default: the ready line has the members of the contract in their order', () => {
  expect(Object.keys(JSON.parse(readyLine(FACTS)))).toEqual(
    (
      'ready origin rpcUrl chainId network usdc aic contracts payTo facilitatorUrl databaseUrl databaseHttpUrl ' +
      'objectStoreUrl publicUrl modelProviderUrl webhookSecret buyers workerPid logDir'
    ).split(' '),
  )
  expect(readyLine(FACTS)).toMatch(/^\{"ready":true,/)
})

test('behavior: the stack file is removed by its own stack only, and a dead stack is not found', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'facts-'))
  const file = join(dir, 'stack.json')
  try {
    await writeStackFile(FACTS, file)
    expect(await readFile(file, 'utf8')).toBe(`${readyLine(FACTS)}\n`)
    expect(await findRunningStack(file)).toBeNull()
    await removeStackFile('http://127.0.0.1:9', file)
    expect(await readFile(file, 'utf8')).toContain('"origin":"http://127.0.0.1:1"')
    await removeStackFile(FACTS.origin, file)
    await expect(readFile(file, 'utf8')).rejects.toThrow('ENOENT')
  } finally {
    await rm(dir, { recursive: true })
  }
})
