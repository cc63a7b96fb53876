import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { UsageError } from '../node/errors.ts'
import { PROGRAM } from '../node/program.ts'
import { type PasswordSource, passwordOf, readText } from './secrets.ts'

export interface KeySource extends PasswordSource {
  keystore: string | undefined
  /** The key of a buyer on a local dev chain. */
  devKey: string | undefined
}

/** True if a key is configured. Opens nothing. */
export const hasKey = ({ keystore, env, devKey }: KeySource): boolean =>
  Boolean(keystore ?? (env['COINSLOT_KEYSTORE'] || env['COINSLOT_PRIVATE_KEY'] || devKey))

/**
 * The account that signs: of the keystore, else of `COINSLOT_PRIVATE_KEY`, else the local stack's first buyer. A key is never an
 * argument: every user of the machine can read those. Throws `UsageError`, `KeystoreError`.
 */
export async function openAccount(source: KeySource): Promise<PrivateKeyAccount> {
  const { privateKeyToAccount } = await import('viem/accounts')
  const { env } = source
  const file = source.keystore ?? (env['COINSLOT_KEYSTORE'] || undefined)
  if (file !== undefined) return privateKeyToAccount(await openKeystore(file, source))
  const key = env['COINSLOT_PRIVATE_KEY'] || source.devKey
  if (key !== undefined) return privateKeyToAccount(parseKey(key))
  throw new UsageError(
    `There is no key: give --keystore FILE (or COINSLOT_KEYSTORE), or set COINSLOT_PRIVATE_KEY. \`${PROGRAM} keystore new FILE\` makes a keystore.`,
  )
}

async function openKeystore(file: string, source: PasswordSource): Promise<Hex> {
  const { decryptKeystore } = await import('../node/keystore.ts')
  const text = await readText(file)
  return decryptKeystore(text, await passwordOf(source))
}

/** A private key as people write it, with or without `0x`. Throws `UsageError` without a word of it. */
export function parseKey(text: string): Hex {
  const digits = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(text.trim())?.[1]
  if (digits === undefined) throw new UsageError('The private key is not 64 hex digits.')
  return `0x${digits}`
}
