import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { K1, K2, makeTestApp, type TestClient } from '../../../test/helpers/app.ts'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { seedInference } from '../../../test/helpers/seed.ts'

const db = useDatabase()
const ME = K1.address.toLowerCase()
const shareSchema = z.object({ id: z.uuid(), showsPrompt: z.boolean() })

async function owner(overrides: Parameters<typeof makeTestApp>[0] = {}) {
  // The fake deps of each app count their ids from the same start.
  const kit = makeTestApp({ database: { ...db.database }, newId: () => crypto.randomUUID(), ...overrides })
  const client = await kit.signedIn()
  await client.get('/api/auth/nonce')
  return { kit, client }
}

const change = (client: TestClient, method: 'PUT' | 'DELETE', id: string, body?: unknown) =>
  client.send(method, `/api/inference/${id}/share`, {
    ...(body !== undefined && { body }),
    headers: { 'content-type': 'application/json', ...client.cookies.headers },
  })
const share = async (client: TestClient, id: string, showsPrompt: boolean) =>
  shareSchema.parse((await change(client, 'PUT', id, { showsPrompt })).json)

describe('sharing', () => {
  it('default: anyone reads a shared result, and nothing that leads to its wallet', async () => {
    const { kit, client } = await owner()
    const input = { prompt: 'a red bicycle', aspect_ratio: '16:9' }
    const id = await seedInference(db.database, { owner: ME, createdAt: '2026-11-27T10:00:00Z', input })
    const shared = await share(client, id, true)
    const seen = await kit.client().get(`/api/shares/${shared.id}`)
    expect(seen.json).toEqual({
      task: 'text-to-image',
      model: 'a/model',
      prompt: 'a red bicycle',
      output: expect.objectContaining({ type: 'image' }),
      aspectRatio: '16:9',
      predictTimeMs: 1234,
      day: '2026-11-27',
    })
    expect(seen.headers.get('X-Robots-Tag')).toBe('noindex')
    expect(seen.headers.get('Cache-Control')).toBe('no-store')
    expect(seen.text.toLowerCase()).not.toContain(ME.slice(2))
  })

  it('behavior: nothing is shared until it is asked for; the prompt only if it is chosen', async () => {
    const { kit, client } = await owner()
    const id = await seedInference(db.database, { owner: ME, createdAt: '2026-11-27T10:00:00Z' })
    expect((await client.get(`/api/inference/${id}/share`)).status).toBe(404)
    const first = await share(client, id, false)
    expect((await kit.client().get(`/api/shares/${first.id}`)).json).toMatchObject({ prompt: null, aspectRatio: null })
    expect(await share(client, id, true)).toEqual({ id: first.id, showsPrompt: true })
    expect((await client.get(`/api/inference/${id}/share`)).json).toEqual({ id: first.id, showsPrompt: true })
  })

  it('behavior: a share that is taken back answers 404 at once, and a new one has another id', async () => {
    const { kit, client } = await owner()
    const id = await seedInference(db.database, { owner: ME, createdAt: '2026-11-27T10:00:00Z' })
    const first = await share(client, id, true)
    expect((await change(client, 'DELETE', id)).status).toBe(204)
    expect((await kit.client().get(`/api/shares/${first.id}`)).status).toBe(404)
    expect((await change(client, 'DELETE', id)).status).toBe(204)
    expect((await share(client, id, true)).id).not.toBe(first.id)
  })

  it('error: inference_not_found for another wallet, which changes nothing', async () => {
    const { kit, client } = await owner()
    const id = await seedInference(db.database, { owner: ME, createdAt: '2026-11-27T10:00:00Z' })
    const shared = await share(client, id, false)
    const other = await kit.signedIn(K2)
    await other.get('/api/auth/nonce')
    for (const answer of [await change(other, 'PUT', id, { showsPrompt: true }), await change(other, 'DELETE', id)]) {
      expect(answer.json).toMatchObject({ status: 404, code: 'inference_not_found' })
    }
    expect((await other.get(`/api/inference/${id}/share`)).json).toMatchObject({ code: 'inference_not_found' })
    expect((await kit.client().get(`/api/shares/${shared.id}`)).json).toMatchObject({ prompt: null })
  })

  it('error: a failed run, another body, no session and no CSRF token are refused', async () => {
    const { kit, client } = await owner()
    const at = { owner: ME, createdAt: '2026-11-27T10:00:00Z' }
    const failed = await seedInference(db.database, { ...at, status: 'failed' })
    const made = await seedInference(db.database, at)
    expect((await change(client, 'PUT', failed, { showsPrompt: true })).json).toMatchObject({ code: 'invalid_request' })
    expect((await change(client, 'PUT', made, { showsPrompt: 1 })).json).toMatchObject({ code: 'invalid_request' })
    const noToken = { body: { showsPrompt: true }, headers: { 'content-type': 'application/json' } }
    expect((await client.send('PUT', `/api/inference/${made}/share`, noToken)).json).toMatchObject({
      code: 'csrf_failed',
    })
    expect((await client.send('DELETE', `/api/inference/${made}/share`)).json).toMatchObject({ code: 'csrf_failed' })
    expect((await change(kit.client(), 'PUT', made, { showsPrompt: true })).json).toMatchObject({
      code: 'unauthenticated',
    })
    expect((await client.get(`/api/inference/${made}/share`)).status).toBe(404)
  })

  it('error: not_found for an invalid or unknown id', async () => {
    const { kit } = await owner()
    for (const id of ['x', crypto.randomUUID()])
      expect((await kit.client().get(`/api/shares/${id}`)).json).toMatchObject({ status: 404, code: 'not_found' })
  })
})
