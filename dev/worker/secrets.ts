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
  /** Signs receipts. It owns no money. */
  receiptKey: z.string(),
})

/**
 * The keys in `.dev.vars.example`, so that a plain `wrangler dev` may use the stack's services. They open a provider and a store on
 * loopback, nothing else.
 */
const LOCAL_KEYS = { providerToken: 'local-token', storeKeyId: 'local', storeSecret: 'local-secret' }

/** A folder of an earlier version lacks newer secrets. */
const keptSchema = secretsSchema.partial()

export type StackSecrets = z.infer<typeof secretsSchema>

/** The secrets in `dir`, generated at first use, so that sessions survive a restart of a kept stack. */
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
