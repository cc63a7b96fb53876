import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as ours from './siwe-without-ethers.ts'

const require = createRequire(import.meta.url)

it('default: the bundle replaces the file that siwe imports, and all it exports', async () => {
  const wrangler = await readFile(join(import.meta.dirname, '../../wrangler.toml'), 'utf8')
  const [, file] = /^"\.\/(ethersCompat-\w+\.js)" = "\.\/worker\/auth\/siwe-without-ethers\.ts"$/m.exec(wrangler) ?? []
  const source = await readFile(join(require.resolve('siwe'), '..', String(file)), 'utf8')
  const [, exported = ''] = /export \{ ([^}]+) \};?\s*$/.exec(source) ?? []
  const names = exported.split(', ').map((one) => one.split(' as ')[1])
  expect(Object.keys(ours).sort()).toEqual(names.sort())
})

it('error: ethers is refused, and never found', async () => {
  expect(() => ours.t()).toThrow('ethers is not supported here')
  expect(await ours.n.tryAutoDetectEthers()).toBeNull()
  expect([ours.i(`0x${ours.r}`), ours.i('0x')]).toEqual([true, false])
})
