import { createDecipheriv, scryptSync } from 'node:crypto'
import { bytesToHex, concat, type Hex, hexToBytes, keccak256 } from 'viem'
import * as z from 'zod'

const hex = z.string().regex(/^([0-9a-f]{2})+$/i)

const keystoreSchema = z.object({
  version: z.literal(3),
  crypto: z.object({
    cipher: z.literal('aes-128-ctr'),
    cipherparams: z.object({ iv: hex }),
    ciphertext: hex,
    kdf: z.literal('scrypt', 'must be made with scrypt, as geth and cast do'),
    kdfparams: z.object({
      dklen: z.literal(32),
      n: z
        .int()
        .positive()
        .max(1 << 20),
      r: z.int().positive().max(16),
      p: z.int().positive().max(16),
      salt: hex,
    }),
    mac: hex,
  }),
})

/**
 * The private key in a version 3 keystore (geth, `cast wallet import`). Throws when the text is no such keystore or the
 * password is wrong.
 */
export function decryptKeystore(text: string, password: string): Hex {
  const { crypto } = keystoreSchema.parse(JSON.parse(text))
  const { dklen, n, r, p, salt } = crypto.kdfparams
  const maxmem = 128 * n * r + 128 * r * p + (1 << 20)
  const derived = scryptSync(password, Buffer.from(salt, 'hex'), dklen, { N: n, r, p, maxmem })
  const ciphertext = Buffer.from(crypto.ciphertext, 'hex')
  const mac = keccak256(concat([derived.subarray(16, 32), ciphertext]), 'bytes')
  if (!hexToBytes(`0x${crypto.mac}`).every((byte, index) => byte === mac[index])) {
    throw new Error('The password does not open the keystore.')
  }
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), Buffer.from(crypto.cipherparams.iv, 'hex'))
  return bytesToHex(Buffer.concat([decipher.update(ciphertext), decipher.final()]))
}
