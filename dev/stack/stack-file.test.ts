import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { publishStackFile } from './stack-file.ts'
import { readyLine } from './stack-info.ts'
import { STACK_INFO } from './testing.ts'

let dir: string
let file: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'stack-file-'))
  file = join(dir, 'stack.json')
})
afterEach(() => rm(dir, { recursive: true }))

const first = { ...STACK_INFO, origin: 'http://127.0.0.1:1' }
const second = { ...STACK_INFO, origin: 'http://127.0.0.1:2' }
const content = () => readFile(file, 'utf8')

test('default: the file has the ready line and current worker, and is removed at the end', async () => {
  const published = publishStackFile(first, { A: '1' }, file)
  expect(await published.heldBy).toBeNull()
  expect(await content()).toBe(`${readyLine(first)}\n`)
  expect(await readFile(join(dir, 'worker.env'), 'utf8')).toBe("A='1'\n")
  await published.update({ ...first, workerPid: 8 })
  expect(await content()).toContain('"workerPid":8')
  await published.remove()
  expect(await readdir(dir)).toEqual(['stack.json.lock'])
})

test('behavior: a second stack neither overwrites nor removes the file of the first one', async () => {
  const one = publishStackFile(first, {}, file)
  await one.heldBy
  const two = publishStackFile(second, {}, file)
  expect(await two.heldBy).toBe(first.origin)
  await two.update({ ...second, workerPid: 8 })
  expect(await content()).toBe(`${readyLine(first)}\n`)
  await two.remove()
  expect(await content()).toBe(`${readyLine(first)}\n`)
  await one.remove()
})

test('behavior: when the first stack ends, the second one takes the file', async () => {
  const one = publishStackFile(first, {}, file)
  await one.heldBy
  const two = publishStackFile(second, {}, file)
  await two.heldBy
  await one.remove()
  await expect.poll(() => content().catch(() => '')).toBe(`${readyLine(second)}\n`)
  await two.remove()
})
