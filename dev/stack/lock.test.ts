import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Lock, takeLock } from './lock.ts'

let dir: string
let file: string
const held: Lock[] = []
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lock-'))
  file = join(dir, 'deeper/stack.lock')
})
afterEach(async () => {
  for (const lock of held.splice(0)) await lock.release()
  await rm(dir, { recursive: true })
})

const FIRST = 'http://127.0.0.1:1'
const SECOND = 'http://127.0.0.1:2'

async function taken(origin: string): Promise<Lock> {
  const answer = await takeLock(file, origin)
  if ('holder' in answer) throw new Error(`held by ${answer.holder?.origin}`)
  return answer.lock
}

/** Another process that takes the lock and lives until it is killed. */
async function otherProcess(origin: string) {
  const code = `const { takeLock } = await import(process.argv[1])
    const answer = await takeLock(process.argv[2], process.argv[3])
    console.log('lock' in answer ? 'taken' : 'held')
    setInterval(() => {}, 1_000)`
  const module = join(import.meta.dirname, 'lock.ts')
  const words = ['--input-type=module', '-e', code, module, file, origin]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed] = await once(child.stdout, 'data')
  return { child, printed: String(printed).trim() }
}

test('default: one holder at a time, and the second learns who it is', async () => {
  const lock = await taken(FIRST)
  expect(await takeLock(file, SECOND)).toMatchObject({ holder: { pid: process.pid, origin: FIRST } })
  await lock.release()
  held.push(await taken(SECOND))
})

test('behavior: a killed process loses its lock', async () => {
  const { child, printed } = await otherProcess(FIRST)
  expect(printed).toBe('taken')
  expect(await takeLock(file, SECOND)).toMatchObject({ holder: { pid: child.pid, origin: FIRST } })
  child.kill('SIGKILL')
  await once(child, 'close')
  held.push(await taken(SECOND))
  expect(await takeLock(file, FIRST)).toMatchObject({ holder: { pid: process.pid, origin: SECOND } })
})

test('behavior: of twenty at once, one gets the lock', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => takeLock(file, FIRST)))
  for (const answer of answers) if ('lock' in answer) held.push(answer.lock)
  expect(held).toHaveLength(1)
})

test('behavior: a lock without a note is still a lock', async () => {
  held.push(await taken(FIRST))
  await writeFile(`${file}.json`, '{"pid":')
  expect(await takeLock(file, SECOND)).toEqual({ holder: null })
})
