import * as z from 'zod'
import { type Answer, K1, makeTestApp, type TestClient } from './app.ts'
import { useDatabase } from './in-process-database.ts'
import { type SiweFields, siweText } from './siwe.ts'

export const SIGNED_OUT = { address: null, chainId: null }
export const SIGNED_IN = { address: K1.address, chainId: 84532 }

const nonceSchema = z.object({ nonce: z.string() })
export const nonceOf = async (client: TestClient): Promise<string> =>
  nonceSchema.parse((await client.get('/api/auth/nonce')).json).nonce

export type SignInFields = Omit<SiweFields, 'nonce' | 'address'> & { address?: string; nonce?: string }

/** Signs in as K1 with a new client. `change` edits the message before it is signed. */
export async function verify(
  kit: ReturnType<typeof makeTestApp>,
  fields: SignInFields,
  change: (text: string) => string = (text) => text,
): Promise<{ answer: Answer; client: TestClient }> {
  const client = kit.client()
  const fresh = await nonceOf(client)
  const nonce = fields.nonce ?? fresh
  const message = change(siweText({ address: K1.address, issuedAt: kit.clock.now(), ...fields, nonce }))
  const signature = await K1.signMessage({ message })
  return { answer: await client.post('/api/auth/verify', { message, signature }), client }
}

/** A database for the tests of a file, and the app over it with today's date. */
export function useSignIn() {
  const db = useDatabase()
  function setUp(overrides: Parameters<typeof makeTestApp>[0] = {}) {
    const kit = makeTestApp({ database: db.database, ...overrides })
    kit.clock.set(new Date())
    return kit
  }
  return { db, setUp }
}
