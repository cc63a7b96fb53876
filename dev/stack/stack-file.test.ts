import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { announce } from './stack-file.ts'
import { readyLine } from './stack-info.ts'
import { FACTS } from './testing.ts'

let dir: string
let file: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'announce-'))
  file = join(dir, 'stack.json')
})
afterEach(() => rm(dir, { recursive: true }))

const first = { ...FACTS, origin: 'http://127.0.0.1:1' }
const second = { ...FACTS, origin: 'http://127.0.0.1:2' }
const told = () => readFile(file, 'utf8')

test('default: while it runs its ready line stands there, the present worker in it; after it nothing does', async () => {
  const announcement = announce(first, { A: '1' }, file)
  expect(await announcement.shadowedBy).toBeNull()
  expect(await told()).toBe(`${readyLine(first)}\n`)
  expect(await readFile(join(dir, 'worker.env'), 'utf8')).toBe("A='1'\n")
  await announcement.update({ ...first, workerPid: 8 })
  expect(await told()).toContain('"workerPid":8')
  await announcement.withdraw()
  expect(await readdir(dir)).toEqual(['stack.json.lock'])
})

test('behavior: a second stack neither overwrites nor removes what the first one told', async () => {
  const one = announce(first, {}, file)
  await one.shadowedBy
  const two = announce(second, {}, file)
  expect(await two.shadowedBy).toBe(first.origin)
  await two.update({ ...second, workerPid: 8 })
  expect(await told()).toBe(`${readyLine(first)}\n`)
  await two.withdraw()
  expect(await told()).toBe(`${readyLine(first)}\n`)
  await one.withdraw()
})

test('behavior: when the first one ends, the second takes its place', async () => {
  const one = announce(first, {}, file)
  await one.shadowedBy
  const two = announce(second, {}, file)
  await two.shadowedBy
  await one.withdraw()
  await expect.poll(() => told().catch(() => ''), { timeout: 10_000 }).toBe(`${readyLine(second)}\n`)
  await two.withdraw()
})
