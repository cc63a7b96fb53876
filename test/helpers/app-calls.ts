import * as z from 'zod'
import { type Answer, K1, makeTestApp } from './app.ts'
import { sealFor } from './cookies.ts'

export const problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  code: z.string(),
  requestId: z.string(),
})
export const codeOf = (answer: Answer): unknown => problem.safeParse(answer.json).data?.code

export async function signedIn(overrides: Parameters<typeof makeTestApp>[0] = {}) {
  const kit = makeTestApp(overrides)
  const client = kit.client()
  await client.get('/api/auth/nonce')
  client.cookies.set('__Host-session', await sealFor(kit.deps.config, K1.address))
  return { ...kit, signedInClient: client }
}
