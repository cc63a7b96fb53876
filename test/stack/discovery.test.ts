import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { borrowTestStack, type TestStack } from '../helpers/stack.ts'

const CLI = join(dirname(createRequire(import.meta.url).resolve('@agentcash/discovery')), '../bin/discovery.js')
const run = promisify(execFile)

let stack: TestStack
beforeAll(async () => {
  stack = await borrowTestStack()
})
afterAll(() => stack?.stop())

/** The findings of the published command of `@agentcash/discovery`, as JSON. */
async function discovery(...args: string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [CLI, ...args, '--json', '-v'])
  return JSON.parse(stdout)
}

test('default: @agentcash/discovery lists the paid call with its price, without a warning', async () => {
  const found = await discovery('discover', stack.info.origin)
  expect(found).toMatchObject({ ok: true, warnings: [] })
})

test('default: @agentcash/discovery reads schema and price of the paid call, without a warning', async () => {
  const found = await discovery('check', `${stack.info.origin}/api/inference`)
  expect(found).toMatchObject({ found: true, warnings: [] })
})

test('default: what a catalogue asks for reaches the worker', async () => {
  const schema = z.looseObject({})
  for (const path of ['/openapi.json', '/.well-known/x402', '/.well-known/x402.json', '/.well-known/coinslot.json']) {
    const answer = await fetch(stack.info.origin + path)
    expect([path, answer.status]).toEqual([path, 200])
    expect(schema.safeParse(await answer.json()).success).toBe(true)
  }
  const security = await fetch(`${stack.info.origin}/.well-known/security.txt`)
  expect(await security.text()).toMatch(/^Contact: http/)
})
