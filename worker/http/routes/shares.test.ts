import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { K1, K2, makeTestApp, type TestClient } from '../../../test/helpers/app.ts'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { type SeedInference, seedInference } from '../../../test/helpers/seed.ts'

const db = useDatabase()
const ME = K1.address.toLowerCase()
const shareSchema = z.object({ id: z.uuid(), showsPrompt: z.boolean() })

async function owner(overrides: Parameters<typeof makeTestApp>[0] = {}) {
  // The fake deps of each app count their ids from the same start.
  const kit = makeTestApp({ database: { ...db.database }, newId: () => crypto.randomUUID(), ...overrides })
  const client = await kit.signedIn()
  await client.get('/api/auth/nonce')
  /** A purchase of ours, with its file where the journal has it. */
  const made = async (seed: Partial<SeedInference> = {}): Promise<string> => {
    const id = await seedInference(db.database, { owner: ME, createdAt: '2026-11-27T10:00:00Z', ...seed })
    await kit.store.put(`i/key/${id}`, new TextEncoder().encode(id), { contentType: 'image/png', length: id.length })
    return id
  }
  return { kit, client, made }
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
    const { kit, client, made } = await owner()
    const input = { prompt: 'a red bicycle', aspect_ratio: '16:9' }
    const id = await made({ input })
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
    const { kit, client, made } = await owner()
    const id = await made()
    expect((await client.get(`/api/inference/${id}/share`)).status).toBe(404)
    const first = await share(client, id, false)
    expect((await kit.client().get(`/api/shares/${first.id}`)).json).toMatchObject({ prompt: null, aspectRatio: null })
    expect(await share(client, id, true)).toEqual({ id: first.id, showsPrompt: true })
    expect((await client.get(`/api/inference/${id}/share`)).json).toEqual({ id: first.id, showsPrompt: true })
  })

  it('behavior: a share that is taken back answers 404 at once, and a new one has another id', async () => {
    const { kit, client, made } = await owner()
    const id = await made()
    const first = await share(client, id, true)
    expect((await change(client, 'DELETE', id)).status).toBe(204)
    expect((await kit.client().get(`/api/shares/${first.id}`)).status).toBe(404)
    expect((await change(client, 'DELETE', id)).status).toBe(204)
    expect((await share(client, id, true)).id).not.toBe(first.id)
  })

  it('error: inference_not_found for another wallet, which changes nothing', async () => {
    const { kit, client, made } = await owner()
    const id = await made()
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
    const { kit, client, made } = await owner()
    const failed = await made({ status: 'failed' })
    const good = await made()
    expect((await change(client, 'PUT', failed, { showsPrompt: true })).json).toMatchObject({ code: 'invalid_request' })
    expect((await change(client, 'PUT', good, { showsPrompt: 1 })).json).toMatchObject({ code: 'invalid_request' })
    const noToken = { body: { showsPrompt: true }, headers: { 'content-type': 'application/json' } }
    expect((await client.send('PUT', `/api/inference/${good}/share`, noToken)).json).toMatchObject({
      code: 'csrf_failed',
    })
    expect((await client.send('DELETE', `/api/inference/${good}/share`)).json).toMatchObject({ code: 'csrf_failed' })
    expect((await change(kit.client(), 'PUT', good, { showsPrompt: true })).json).toMatchObject({
      code: 'unauthenticated',
    })
    expect((await client.get(`/api/inference/${good}/share`)).status).toBe(404)
  })

  it('error: not_found for an invalid or unknown id', async () => {
    const { kit } = await owner()
    for (const id of ['x', crypto.randomUUID()])
      expect((await kit.client().get(`/api/shares/${id}`)).json).toMatchObject({ status: 404, code: 'not_found' })
  })

  const sharedFile = async (kit: Awaited<ReturnType<typeof owner>>['kit'], id: string): Promise<string> => {
    const { json } = await kit.client().get(`/api/shares/${id}`)
    const { output } = z.object({ output: z.object({ urls: z.tuple([z.string()]) }) }).parse(json)
    return output.urls[0].replace('https://cdn.example/', '')
  }

  it('error: G4 a shared file is a copy at another key, which goes when the share is taken back', async () => {
    const { kit, client, made } = await owner()
    const id = await made()
    const shared = await share(client, id, false)
    const key = await sharedFile(kit, shared.id)
    expect(key).toMatch(/^s\/[0-9a-f-]{36}\//)
    expect(key).not.toContain(shared.id)
    expect(kit.store.state.objects.get(key)).toEqual(kit.store.state.objects.get(`i/key/${id}`))
    await share(client, id, true)
    expect(await sharedFile(kit, shared.id)).toBe(key)
    await change(client, 'DELETE', id)
    expect([...kit.store.state.objects.keys()]).toEqual([`i/key/${id}`])
    expect(await sharedFile(kit, (await share(client, id, true)).id)).not.toBe(key)
  })

  it('error: G4 model_unavailable while the store is down: nothing is shared or taken back', async () => {
    const { kit, client, made } = await owner()
    const [first, second] = [await made(), await made()]
    const shared = await share(client, first, true)
    kit.store.state.down = true
    for (const answer of [
      await change(client, 'PUT', second, { showsPrompt: true }),
      await change(client, 'DELETE', first),
    ]) {
      expect(answer.json).toMatchObject({ status: 503, code: 'model_unavailable' })
    }
    kit.store.state.down = false
    expect((await client.get(`/api/inference/${second}/share`)).status).toBe(404)
    expect((await kit.client().get(`/api/shares/${shared.id}`)).status).toBe(200)
    expect((await change(client, 'DELETE', first)).status).toBe(204)
  })

  it('behavior: of two calls at once one makes the share, and no other copy stays', async () => {
    const { kit, client, made } = await owner()
    const id = await made()
    const [one, two] = await Promise.all([share(client, id, true), share(client, id, true)])
    expect(one).toEqual(two)
    await kit.settled()
    expect([...kit.store.state.objects.keys()].sort()).toEqual([`i/key/${id}`, await sharedFile(kit, one.id)])
  })

  it('error: not_found where the stored file is gone', async () => {
    const { kit, client, made } = await owner()
    const id = await made()
    kit.store.state.objects.clear()
    expect((await change(client, 'PUT', id, { showsPrompt: true })).json).toMatchObject({
      status: 404,
      code: 'not_found',
    })
  })
})
