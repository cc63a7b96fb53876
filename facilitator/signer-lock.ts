import pg from 'pg'
import { type Hex, hexToBigInt, keccak256, slice, stringToHex } from 'viem'
import { directUrl } from '../db/client.ts'

/** Another process signs with this key. */
export class SignerTaken extends Error {
  constructor(address: string) {
    super(`Another facilitator signs with ${address}. Run one per key, or set another key for this one.`)
    this.name = 'SignerTaken'
  }
}

export interface SignerLock {
  release(): Promise<void>
}

const TRY_EVERY_MS = 250

/**
 * Takes a session's advisory lock on the signing key: two processes with one key would use the same nonces. Waits up to `waitMs`
 * for a process that is stopping, then throws `SignerTaken`. A lost connection loses the lock: `onLost` must end this process.
 */
export async function lockSigner(
  databaseUrl: string,
  address: Hex,
  { waitMs, onLost }: { waitMs: number; onLost: () => void },
): Promise<SignerLock> {
  const client = new pg.Client({
    connectionString: directUrl(databaseUrl).href,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  let isReleased = false
  // A lost connection causes an error event, an end event, or both.
  client.on('error', () => isReleased || onLost())
  client.on('end', () => isReleased || onLost())
  const release = (): Promise<void> => {
    isReleased = true
    return client.end()
  }
  await client.connect()
  const lockKey = BigInt.asIntN(64, hexToBigInt(slice(keccak256(stringToHex(address.toLowerCase())), 0, 8)))
  const deadline = Date.now() + waitMs
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [`${lockKey}`])
    if (rows[0]?.held) return { release }
    if (Date.now() >= deadline) {
      await release()
      throw new SignerTaken(address)
    }
    await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS))
  }
}
