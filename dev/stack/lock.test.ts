import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Lock, takeLock } from './lock.ts'

let dir: string
let file: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lock-'))
  file = join(dir, 'stack.lock')
})
afterEach(() => rm(dir, { recursive: true }))

const ORIGIN = 'http://127.0.0.1:1'

async function taken(origin = ORIGIN): Promise<Lock> {
  const answer = await takeLock(file, origin)
  if ('holder' in answer) throw new Error(`held by ${answer.holder.origin}`)
  return answer.lock
}

test('default: one at a time, and the second is told who has it', async () => {
  const lock = await taken()
  expect(await takeLock(file, 'http://127.0.0.1:2')).toMatchObject({ holder: { pid: process.pid, origin: ORIGIN } })
  await lock.release()
  await (await taken('http://127.0.0.1:2')).release()
  expect(await readdir(dir)).toEqual([])
})

test('behavior: what a dead process left is taken over, and so is a file that says nothing', async () => {
  const dead = spawnSync('true').pid
  await writeFile(file, JSON.stringify({ pid: dead, origin: ORIGIN, since: '2026-11-27T12:00:00.000Z', id: 'x' }))
  await (await taken()).release()
  await writeFile(file, '')
  const lock = await taken()
  expect(await readdir(dir)).toEqual(['stack.lock'])
  await lock.release()
})

test('behavior: of twenty that find a dead one’s lock at once, one gets it', async () => {
  const dead = spawnSync('true').pid
  await writeFile(file, JSON.stringify({ pid: dead, origin: ORIGIN, since: '2026-11-27T12:00:00.000Z', id: 'x' }))
  const answers = await Promise.all(Array.from({ length: 20 }, () => takeLock(file, ORIGIN)))
  expect(answers.filter((answer) => 'lock' in answer)).toHaveLength(1)
})

test('error: a lock that somebody else has by now is not let go of by its old holder', async () => {
  const old = await taken()
  await rm(file)
  await taken('http://127.0.0.1:2')
  await old.release()
  expect(await readFile(file, 'utf8')).toContain('http://127.0.0.1:2')
})
