import { createDecipheriv, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Hex } from 'viem'
import { concat, keccak256, toBytes, toHex } from 'viem/utils'
import * as z from 'zod'
import { KeystoreError } from './errors.ts'

const hex = z.string().regex(/^([0-9a-fA-F]{2})+$/)

/** Bounds keep a hostile file from taking the machine's memory: geth's hardest is n = 2^18. */
const keystoreSchema = z.object({
  version: z.literal(3),
  crypto: z.object({
    cipher: z.literal('aes-128-ctr'),
    cipherparams: z.object({ iv: hex.length(32) }),
    ciphertext: hex.length(64),
    mac: hex.length(64),
    kdf: z.enum(['scrypt', 'pbkdf2']),
    kdfparams: z.object({
      dklen: z.literal(32),
      salt: hex,
      n: z
        .int()
        .min(2)
        .max(2 ** 20)
        .optional(),
      r: z.int().min(1).max(32).optional(),
      p: z.int().min(1).max(16).optional(),
      c: z.int().min(1).max(10_000_000).optional(),
      prf: z.literal('hmac-sha256').optional(),
    }),
  }),
})
type Crypto = z.infer<typeof keystoreSchema>['crypto']

/** The private key in a version 3 keystore ("Web3 Secret Storage"), as `cast wallet new` and geth write it. */
export async function decryptKeystore(text: string, password: string): Promise<Hex> {
  const keystore = keystoreSchema.safeParse(parse(text))
  if (!keystore.success) throw new KeystoreError('this file is not a version 3 keystore with aes-128-ctr')
  const { crypto } = keystore.data
  const derived = await deriveKey(crypto, password)
  const mac = keccak256(concat([derived.subarray(16, 32), bytes(crypto.ciphertext)]), 'bytes')
  if (!timingSafeEqual(mac, bytes(crypto.mac))) throw new KeystoreError('the password does not open this keystore')
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), bytes(crypto.cipherparams.iv))
  return toHex(Buffer.concat([decipher.update(bytes(crypto.ciphertext)), decipher.final()]))
}

/** Older tools write `Crypto`. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace('"Crypto"', '"crypto"'))
  } catch {
    return null
  }
}

const bytes = (digits: string): Uint8Array => toBytes(`0x${digits}`)
const scryptKey = promisify<string, Uint8Array, number, object, Buffer>(scrypt)
const pbkdf2Key = promisify(pbkdf2)

async function deriveKey({ kdf, kdfparams }: Crypto, password: string): Promise<Buffer> {
  const { dklen, salt, n, r, p, c } = kdfparams
  try {
    if (kdf === 'scrypt' && n !== undefined && r !== undefined && p !== undefined) {
      // Node's default limit is 32 MiB; geth's files need 256.
      return await scryptKey(password, bytes(salt), dklen, { N: n, r, p, maxmem: 256 * n * r })
    }
    if (kdf === 'pbkdf2' && c !== undefined) return await pbkdf2Key(password, bytes(salt), c, dklen, 'sha256')
  } catch (cause) {
    throw new KeystoreError(`the parameters of ${kdf} are not allowed`, { cause })
  }
  throw new KeystoreError(`the keystore lacks parameters of ${kdf}`)
}
