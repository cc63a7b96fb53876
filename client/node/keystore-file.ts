import { createCipheriv, randomBytes, randomUUID, scrypt } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { concat, keccak256, toBytes } from 'viem/utils'
import { KeystoreError } from './errors.ts'

/** geth's parameters for files that may be stolen: each guess costs 256 MiB and about a second. */
const SCRYPT = { n: 2 ** 18, r: 8, p: 1 }
const KEY_BYTES = 32

const scryptKey = promisify<string, Uint8Array, number, object, Buffer>(scrypt)
const digits = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** The key as a version 3 keystore ("Web3 Secret Storage"), which geth, `cast` and wallets open with the password. */
export async function encryptKeystore(key: Hex, password: string): Promise<string> {
  const { n, r, p } = SCRYPT
  const [salt, iv] = [randomBytes(32), randomBytes(16)]
  const derived = await scryptKey(password, salt, KEY_BYTES, { N: n, r, p, maxmem: 256 * n * r })
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv)
  const ciphertext = Buffer.concat([cipher.update(toBytes(key)), cipher.final()])
  const mac = keccak256(concat([derived.subarray(16, 32), ciphertext]), 'bytes')
  return JSON.stringify({
    version: 3,
    id: randomUUID(),
    address: privateKeyToAddress(key).slice(2).toLowerCase(),
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: digits(iv) },
      ciphertext: digits(ciphertext),
      kdf: 'scrypt',
      kdfparams: { dklen: KEY_BYTES, n, r, p, salt: digits(salt) },
      mac: digits(mac),
    },
  })
}

/** Writes a keystore for its owner's eyes only. Throws `KeystoreError` when there is such a file: a key may be in it. */
export async function writeKeystore(file: string, keystore: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const handle = await open(file, 'wx', 0o600).catch((cause: unknown) => {
    const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
    const why = isThere ? 'is there already, and nothing is written over it' : 'cannot be written'
    throw new KeystoreError(`${file} ${why}`, { cause })
  })
  try {
    await handle.writeFile(`${keystore}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
