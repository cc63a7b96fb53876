import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadSecrets } from './secrets.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('default: provider and store accept the keys of .dev.vars.example', async () => {
  const example = parseEnv(await readFile(join(import.meta.dirname, '../../.dev.vars.example'), 'utf8'))
  const { providerToken, storeKeyId, storeSecret } = await loadSecrets(folder)
  expect({
    MODEL_PROVIDER_API_TOKEN: providerToken,
    OBJECT_STORE_ACCESS_KEY_ID: storeKeyId,
    OBJECT_STORE_SECRET_ACCESS_KEY: storeSecret,
  }).toEqual({
    MODEL_PROVIDER_API_TOKEN: example['MODEL_PROVIDER_API_TOKEN'],
    OBJECT_STORE_ACCESS_KEY_ID: example['OBJECT_STORE_ACCESS_KEY_ID'],
    OBJECT_STORE_SECRET_ACCESS_KEY: example['OBJECT_STORE_SECRET_ACCESS_KEY'],
  })
})

it('behavior: generated secrets are kept', async () => {
  const first = await loadSecrets(folder)
  expect(await loadSecrets(folder)).toEqual(first)
  expect(first.sessionSecret).toMatch(/^[0-9a-f]{64}$/)
})
