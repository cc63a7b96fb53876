import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findRunningStack, readyLine, writeStackFile } from './stack-info.ts'
import { FACTS } from './testing.ts'

test('default: the ready line has the members of the contract in their order', () => {
  expect(Object.keys(JSON.parse(readyLine(FACTS)))).toEqual(
    (
      'ready origin rpcUrl chainId network usdc aic contracts payTo facilitatorUrl databaseUrl databaseHttpUrl ' +
      'objectStoreUrl publicUrl modelProviderUrl webhookSecret buyers workerPid logDir'
    ).split(' '),
  )
  expect(readyLine(FACTS)).toMatch(/^\{"ready":true,/)
})

test('behavior: the stack file holds the ready line, and a dead stack is not found', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'facts-'))
  const file = join(dir, 'stack.json')
  try {
    await writeStackFile(FACTS, file)
    expect(await readFile(file, 'utf8')).toBe(`${readyLine(FACTS)}\n`)
    expect(await findRunningStack(file)).toBeNull()
  } finally {
    await rm(dir, { recursive: true })
  }
})
