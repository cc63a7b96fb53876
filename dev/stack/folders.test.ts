import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolders, StateTakenError } from './folders.ts'

test('error: a second stack on one state is refused with the origin of the first', async () => {
  const state = await mkdtemp(join(tmpdir(), 'state-'))
  try {
    const first = await makeFolders(state, 'http://127.0.0.1:1')
    const second = makeFolders(state, 'http://127.0.0.1:2')
    await expect(second).rejects.toThrow(StateTakenError)
    await expect(second).rejects.toThrow(`in use by the stack at http://127.0.0.1:1 (process ${process.pid}, since `)
    await writeFile(join(first.data, 'kept'), '')
    await first.clean()
    const third = await makeFolders(state, 'http://127.0.0.1:3')
    expect(await readdir(third.data)).toEqual(['kept'])
    await third.clean()
  } finally {
    await rm(state, { recursive: true })
  }
})
