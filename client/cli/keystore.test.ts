import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { privateKeyToAddress } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Ended, runCommand } from '../../test/helpers/command-line.ts'
import { decryptKeystore } from '../node/keystore.ts'

const CAST = join(import.meta.dirname, '../../node_modules/.bin/cast')
const KEY = `0x${'11'.repeat(32)}` as const
const ADDRESS = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
const PASSWORD = 'correct horse battery'

let folder: string
let file: string
let passwordFile: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keystore-'))
  file = join(folder, 'deep/wallet.json')
  passwordFile = join(folder, 'password')
  await writeFile(passwordFile, `${PASSWORD}\n`)
})
afterEach(() => rm(folder, { recursive: true }))

const keystore = (args: string[], env: Record<string, string> = {}): Promise<Ended> =>
  runCommand(['keystore', ...args], env)

test('default: a new key is readable by its owner only, and opens with the password', async () => {
  const made = await keystore(['new', file, '--json'], { COINSLOT_PASSWORD: PASSWORD })
  expect([made.code, made.stderr]).toEqual([0, ''])
  const key = await decryptKeystore(await readFile(file, 'utf8'), PASSWORD)
  expect(JSON.parse(made.stdout)).toEqual({ address: privateKeyToAddress(key), file })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await stat(dirname(file))).mode & 0o777).toBe(0o700)
})

test('behavior: an imported key is the same, and cast opens its file', async () => {
  const made = await keystore(['import', file, '--password-file', passwordFile], { COINSLOT_PRIVATE_KEY: KEY })
  expect([made.code, made.stdout]).toEqual([0, `${ADDRESS} is kept in ${file}\n`])
  expect(await decryptKeystore(await readFile(file, 'utf8'), PASSWORD)).toBe(KEY)
  const opened = await promisify(execFile)(CAST, ['wallet', 'decrypt-keystore', basename(file), '-k', dirname(file)], {
    env: { PATH: process.env['PATH'], CAST_UNSAFE_PASSWORD: PASSWORD },
  })
  expect(opened.stdout + opened.stderr).toContain(KEY)
})

test('behavior: the key may come from a file', async () => {
  const keyFile = join(folder, 'key')
  await writeFile(keyFile, `${KEY.slice(2)}\n`)
  const made = await keystore(['import', file, '--key-file', keyFile, '--password-file', passwordFile])
  expect(made.stdout).toContain(ADDRESS)
})

test('error: an existing file is not replaced', async () => {
  await writeFile(join(folder, 'there.json'), 'precious')
  const refused = await keystore(['new', join(folder, 'there.json'), '--password-file', passwordFile])
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('nothing is written over it')])
  expect(await readFile(join(folder, 'there.json'), 'utf8')).toBe('precious')
})

test.each([
  ['no password without a terminal', ['new', 'FILE'], {}, 'give --password-file FILE, or set COINSLOT_PASSWORD'],
  ['an empty password', ['new', 'FILE'], { COINSLOT_PASSWORD: '' }, 'An empty password protects nothing'],
  ['no key without a terminal', ['import', 'FILE'], { COINSLOT_PASSWORD: 'x' }, 'Which key?'],
  ['no file', ['new'], { COINSLOT_PASSWORD: 'x' }, 'Give `coinslot keystore new FILE`'],
  ['a key as an argument', ['import', 'FILE', KEY], { COINSLOT_PASSWORD: 'x' }, 'Give `coinslot keystore new FILE`'],
  ['an invalid key', ['import', 'FILE'], { COINSLOT_PASSWORD: 'x', COINSLOT_PRIVATE_KEY: '0x12' }, 'not 64 hex digits'],
])('error: %s is exit code 2, and nothing is written', async (_, args, env, words) => {
  const refused = await keystore(
    args.map((word) => (word === 'FILE' ? file : word)),
    env,
  )
  expect([refused.code, refused.stdout, refused.stderr]).toEqual([2, '', expect.stringContaining(words)])
  expect(refused.stderr).not.toContain(KEY)
  await expect(stat(file)).rejects.toThrow('ENOENT')
})
