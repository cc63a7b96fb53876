import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

const secretsSchema = z.object({
  sessionSecret: z.string(),
  webhookSecret: z.string(),
  providerToken: z.string(),
  storeKeyId: z.string(),
  storeSecret: z.string(),
  /** Signs receipts and holds nothing. */
  receiptKey: z.string(),
})

/**
 * What `.dev.vars.example` says, so that a plain `wrangler dev` may use the stack's services: these open nothing but a provider and
 * a store on loopback.
 */
const LOCAL_KEYS = { providerToken: 'local-token', storeKeyId: 'local', storeSecret: 'local-secret' }

/** A folder of an earlier version lacks the newer ones. */
const keptSchema = secretsSchema.partial()

export type StackSecrets = z.infer<typeof secretsSchema>

/** The secrets kept in `dir`, drawn on first use: sessions outlive a restart of a kept stack. */
export async function loadSecrets(dir: string): Promise<StackSecrets> {
  const file = join(dir, 'secrets.json')
  const text = await readFile(file, 'utf8').catch(() => null)
  const kept = text === null ? {} : keptSchema.parse(JSON.parse(text))
  const secrets = secretsSchema.parse({
    sessionSecret: randomBytes(32).toString('hex'),
    webhookSecret: `whsec_${randomBytes(24).toString('base64')}`,
    ...LOCAL_KEYS,
    receiptKey: `0x${randomBytes(32).toString('hex')}`,
    ...kept,
  })
  await writeFile(file, JSON.stringify(secrets), { mode: 0o600 })
  return secrets
}
