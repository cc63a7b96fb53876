import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { decryptKeystore } from '../node/keystore.ts'
import { UsageError } from './exit.ts'

export interface KeySource {
  keystore: string | undefined
  passwordFile: string | undefined
  env: NodeJS.ProcessEnv
  /** The key of a developer's own chain, where there is one. */
  devKey: string | undefined
}

/** Whether there is a key at all; nothing is opened. */
export const hasKey = ({ keystore, env, devKey }: KeySource): boolean =>
  Boolean(keystore ?? env['COINSLOT_KEYSTORE'] ?? env['COINSLOT_PRIVATE_KEY'] ?? devKey)

/**
 * The account that signs: of the keystore that was named, else of `COINSLOT_PRIVATE_KEY`, else the local stack's first buyer.
 * A key is never an argument: those can be read by everybody on the machine. Throws `UsageError`, `KeystoreError`.
 */
export async function openAccount(source: KeySource): Promise<PrivateKeyAccount> {
  const { env } = source
  const file = source.keystore ?? env['COINSLOT_KEYSTORE']
  if (file !== undefined) return accountOf(await decryptKeystore(await readText(file), await passwordOf(source)))
  const key = env['COINSLOT_PRIVATE_KEY'] ?? source.devKey
  if (key !== undefined) return accountOf(key)
  throw new UsageError(
    'There is no key: give --keystore FILE (or COINSLOT_KEYSTORE), or set COINSLOT_PRIVATE_KEY. `cast wallet new .` makes a keystore.',
  )
}

function accountOf(key: string): PrivateKeyAccount {
  const digits = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(key.trim())?.[1]
  if (digits === undefined) throw new UsageError('The private key is not 64 hex digits.')
  return privateKeyToAccount(`0x${digits}`)
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    throw new UsageError(`${file} cannot be read.`)
  }
}

async function passwordOf({ passwordFile, env }: KeySource): Promise<string> {
  const file = passwordFile ?? env['COINSLOT_PASSWORD_FILE']
  if (file !== undefined) return (await readText(file)).replace(/\r?\n$/, '')
  const password = env['COINSLOT_PASSWORD']
  if (password !== undefined) return password
  if (process.stdin.isTTY !== true) {
    throw new UsageError('The keystore needs its password: give --password-file FILE, or set COINSLOT_PASSWORD.')
  }
  return askPassword()
}

/** Asks on the terminal; what is typed is not shown. */
async function askPassword(): Promise<string> {
  process.stderr.write('Password of the keystore: ')
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
