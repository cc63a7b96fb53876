import { describe, expect, it } from 'vitest'
import { KeystoreError } from './errors.ts'
import { decryptKeystore } from './keystore.ts'

// PBKDF2: the vector of the "Web3 Secret Storage Definition"; its scrypt vector breaks RFC 7914 (N ≥ 2^16 with r = 1), so that
// one was written by `cast wallet import` for the same key.
const KEY = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
const PASSWORD = 'testpassword'

const scryptFile = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: 'b6885f68f67b7fd91b0c4ae27be1f9c3' },
    ciphertext: '00ecc7a4d33625bb02af694772c6659131ed0f7a33d1c8f013b7e62492520b34',
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 8192,
      p: 1,
      r: 8,
      salt: '25eba3035dc3891cab24dda568d3f720dea9ad8d3babb77194093fa3139170a3',
    },
    mac: '058d9b30f5bfa6e604aac83253a2beeed50d6642b88bf7fb6b42d21419aef16b',
  },
  id: 'b2ce04cd-cd2f-497f-8c1e-910addd3a834',
  version: 3,
}

const pbkdf2File = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      c: 262144,
      dklen: 32,
      prf: 'hmac-sha256',
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
}

describe('a version 3 keystore', () => {
  it('default: opens with scrypt and with PBKDF2', async () => {
    expect(await decryptKeystore(JSON.stringify(scryptFile), PASSWORD)).toBe(KEY)
    expect(await decryptKeystore(JSON.stringify(pbkdf2File), PASSWORD)).toBe(KEY)
  })

  it('behavior: old files that write Crypto open too', async () => {
    const { crypto, ...rest } = pbkdf2File
    expect(await decryptKeystore(JSON.stringify({ Crypto: crypto, ...rest }), PASSWORD)).toBe(KEY)
  })

  it('error: KeystoreError for a wrong password, without a word of the key', async () => {
    const failure = await decryptKeystore(JSON.stringify(pbkdf2File), 'wrong').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(KeystoreError)
    expect(String(failure)).toBe('KeystoreError: the password does not open this keystore')
  })

  const broken: [string, string][] = [
    ['no JSON', 'hello'],
    ['another version', JSON.stringify({ ...scryptFile, version: 4 })],
    [
      'memory of a terabyte',
      JSON.stringify({
        ...scryptFile,
        crypto: { ...scryptFile.crypto, kdfparams: { ...scryptFile.crypto.kdfparams, n: 2 ** 30 } },
      }),
    ],
    [
      'a lost parameter',
      JSON.stringify({ ...scryptFile, crypto: { ...scryptFile.crypto, kdfparams: { dklen: 32, salt: 'ab' } } }),
    ],
  ]
  it.each(broken)('error: KeystoreError for %s', async (_name, text) => {
    await expect(decryptKeystore(text, PASSWORD)).rejects.toThrow(KeystoreError)
  })
})
