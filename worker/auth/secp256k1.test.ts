import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as ours from './secp256k1.ts'

const requireOfViem = createRequire(createRequire(import.meta.url).resolve('viem'))

it('default: the bundle replaces the curve by the very one of viem, and only it', async () => {
  const wrangler = await readFile(join(import.meta.dirname, '../../wrangler.toml'), 'utf8')
  expect(wrangler).toContain('"@noble/curves/secp256k1" = "./worker/auth/secp256k1.ts"')
  expect(Object.keys(ours)).toEqual(['secp256k1'])
  const file = requireOfViem.resolve('@noble/curves/secp256k1').replace('/curves/', '/curves/esm/')
  expect(ours.secp256k1).toBe((await import(file)).secp256k1)
})
