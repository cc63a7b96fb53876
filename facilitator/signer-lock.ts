import pg from 'pg'
import { type Hex, hexToBigInt, keccak256, slice, stringToHex } from 'viem'
import { directUrl } from '../db/direct-url.ts'

/** Another process signs with this key. */
export class SignerTaken extends Error {
  constructor(address: string) {
    super(`Another facilitator signs with ${address}. Run one per key, or give this one a key of its own.`)
    this.name = 'SignerTaken'
  }
}

export interface SignerLock {
  release(): Promise<void>
}

const LOOK_EVERY_MS = 250

/**
 * Holds a session's advisory lock on the signing key: two processes that hand out nonces for one key would take each other's.
 * Waits `patienceMs` for one that is just ending; then throws `SignerTaken`. When the connection is lost the lock is too, and
 * `onLost` must end this process at once.
 */
export async function lockSigner(
  databaseUrl: string,
  address: Hex,
  { patienceMs, onLost }: { patienceMs: number; onLost: () => void },
): Promise<SignerLock> {
  const client = new pg.Client({
    connectionString: directUrl(databaseUrl).href,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  let isReleased = false
  // A lost connection is told as an error, an end, or both.
  client.on('error', () => isReleased || onLost())
  client.on('end', () => isReleased || onLost())
  const release = (): Promise<void> => {
    isReleased = true
    return client.end()
  }
  await client.connect()
  const lockKey = BigInt.asIntN(64, hexToBigInt(slice(keccak256(stringToHex(address.toLowerCase())), 0, 8)))
  const deadline = Date.now() + patienceMs
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [`${lockKey}`])
    if (rows[0]?.held) return { release }
    if (Date.now() >= deadline) {
      await release()
      throw new SignerTaken(address)
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
