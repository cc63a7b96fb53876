import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findRunningStack, readyLine, writeStackInfo } from './stack-info.ts'
import { STACK_INFO } from './testing.ts'

test('default: the ready line has the members of the contract in their order', () => {
  expect(Object.keys(JSON.parse(readyLine(STACK_INFO)))).toEqual(
    (
      'ready origin rpcUrl chainId network usdc aic contracts payTo facilitatorUrl databaseUrl databaseHttpUrl ' +
      'objectStoreUrl publicUrl modelProviderUrl webhookSecret buyers workerPid logDir'
    ).split(' '),
  )
  expect(readyLine(STACK_INFO)).toMatch(/^\{"ready":true,/)
})

test('behavior: the stack file contains the ready line, and a stack that ended is not found', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'stack-info-'))
  const file = join(dir, 'stack.json')
  try {
    await writeStackInfo(STACK_INFO, file)
    expect(await readFile(file, 'utf8')).toBe(`${readyLine(STACK_INFO)}\n`)
    expect(await findRunningStack(file)).toBeNull()
  } finally {
    await rm(dir, { recursive: true })
  }
})
