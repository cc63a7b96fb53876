import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SiweMessage } from 'siwe'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { siweText } from '../../test/helpers/siwe.ts'

const OUT = join(import.meta.dirname, '../../node_modules/.cache/siwe/parsers.mjs')
const moduleSchema = z.object({
  ParsedMessage: z.custom<new (text: string) => object>((value) => typeof value === 'function'),
  isUri: z.custom<(text: string) => boolean>((value) => typeof value === 'function'),
})

const text = siweText({
  address: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
  chainId: 8453,
  nonce: 'abcdefgh12345678',
  issuedAt: new Date(0),
})

it('default: the bundled parser accepts and refuses the same as the whole one', async () => {
  await promisify(execFile)('node', [join(import.meta.dirname, 'build-siwe-parser.mjs')])
  expect(await readFile(OUT, 'utf8')).not.toContain('sign-in-with-ethereum =')
  const imported: unknown = await import(OUT)
  const { ParsedMessage, isUri } = moduleSchema.parse(imported)
  expect(new ParsedMessage(text)).toMatchObject({ ...new SiweMessage(text) })
  for (const bad of [text.replace('Version: 1', 'Version: 2'), text.replace('0x19E7', '0x19e7'), `${text}\n`, '']) {
    expect(() => new SiweMessage(bad)).toThrow()
    expect(() => new ParsedMessage(bad)).toThrow()
  }
  expect([isUri('https://coinslot.example/a?b#c'), isUri('no uri')]).toEqual([true, false])
})
