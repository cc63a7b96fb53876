import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as whole from '@neondatabase/serverless'
import { expect, it } from 'vitest'
import * as z from 'zod'

const OUT = join(import.meta.dirname, '../node_modules/.cache/neon/http.mjs')

/** What a driver sends for some queries, and what it makes of one answer and one error. */
async function observe({ neon, neonConfig, types }: Pick<typeof whole, 'neon' | 'neonConfig' | 'types'>) {
  const sent: unknown[] = []
  const column = (name: string, dataTypeID: number) => ({ name, dataTypeID })
  const fields = [column('n', 20), column('t', 1184), column('j', 3802), column('b', 16), column('a', 1007)]
  const rows = [
    ['9007199254740993', '2026-11-27 12:00:00+00', '{"a":[1]}', 't', '{1,2}'],
    [null, null, null, null, null],
  ]
  let answer = Response.json({ fields, rows, rowCount: 2, command: 'SELECT', rowAsArray: true })
  // Test files share their modules: the driver's own setting is put back.
  const before = neonConfig.fetchFunction
  neonConfig.fetchFunction = async (url: string, init: RequestInit) => {
    sent.push(url, init.method, init.body, init.headers)
    return answer
  }
  const sql = neon('postgres://user:pa%20ss@ep-a-b.eu.example.com/db')
  const values = [1, 'x', null, true, new Date(0), { a: 1 }, [1, [2]], new Uint8Array([1, 255]), 10n]
  const read = await sql.query('select $1', values)
  answer = Response.json({ message: 'duplicate', code: '23505', constraint: 'c' }, { status: 400 })
  const failed = await sql.query('insert').catch((error: unknown) => error)
  neonConfig.fetchFunction = before
  return { sent, read, failed: JSON.stringify(failed), parsed: types.getTypeParser(1700)('1.5') }
}

it('default: the half that is bundled does what the whole driver does', async () => {
  await promisify(execFile)('node', [join(import.meta.dirname, 'build-neon-http.mjs')])
  const half: unknown = await import(OUT)
  const parsed = z
    .custom<Pick<typeof whole, 'neon' | 'neonConfig' | 'types'>>((value) => typeof value === 'object' && value !== null)
    .parse(half)
  expect(await observe(parsed)).toEqual(await observe(whole))
})

const ON_WORKERS = `
delete globalThis.Buffer
Object.defineProperty(globalThis, 'process', { get: () => console.log('looked at process') })
const { neon, neonConfig } = await import(${JSON.stringify(OUT)})
const fields = [{ name: 'n', dataTypeID: 23 }]
neonConfig.fetchFunction = async () => ({ ok: true, json: async () => ({ fields, rows: [['7']], rowCount: 1 }) })
const sql = neon('postgres://user:pass@ep-a-b.eu.example.com/db')
const rows = await sql.query('select $1', ['x', 1, null, [1], { a: 1 }])
const binary = await sql.query('select $1', [new Uint8Array(1)]).catch((error) => error.message)
console.log(JSON.stringify([rows, binary]))
`

it('default: without Buffer and process texts are read and written, and a binary value throws', async () => {
  await promisify(execFile)('node', [join(import.meta.dirname, 'build-neon-http.mjs')])
  const { stdout } = await promisify(execFile)('node', ['--input-type=module', '-e', ON_WORKERS])
  expect(JSON.parse(stdout)).toEqual([[{ n: 7 }], 'binary values are not supported here'])
})
