import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { findSource } from './source.ts'

const folder = mkdtempSync(join(tmpdir(), 'coinslot-source-'))
const envFile = join(folder, 'env')
writeFileSync(envFile, `SESSION_SECRET='a b=c'\n# a note\nENVIRONMENT=preview\n`)
afterAll(() => rmSync(folder, { recursive: true }))

test('default: a file alone', async () => {
  expect(await findSource({ envFile })).toEqual({
    name: envFile,
    env: { SESSION_SECRET: 'a b=c', ENVIRONMENT: 'preview' },
    findings: [],
  })
})

test('behavior: a deployment has the variables of wrangler.toml; those of the file win', async () => {
  const { name, env } = await findSource({ deployment: 'production', envFile })
  expect(name).toBe(`wrangler.toml [env.production] and ${envFile}`)
  expect(env).toMatchObject({ PAYMENT_NETWORKS: 'eip155:8453', SESSION_SECRET: 'a b=c', ENVIRONMENT: 'preview' })
})

test('error: a file or a deployment that is not there', async () => {
  await expect(findSource({ envFile: join(folder, 'none') })).rejects.toThrow('none cannot be read.')
  await expect(findSource({ deployment: 'staging' })).rejects.toThrow(/staging/)
})

test('error: with no stack, no .dev.vars and no variables the message says what to name', async () => {
  vi.stubEnv('DATABASE_URL', undefined)
  vi.stubEnv('PUBLIC_ORIGIN', undefined)
  await expect(findSource({ root: folder })).rejects.toThrow('No local stack runs here (start one with `npm start`)')
  vi.stubEnv('PUBLIC_ORIGIN', 'https://coinslot.example')
  expect((await findSource({ root: folder })).name).toBe('the environment of this shell')
})
