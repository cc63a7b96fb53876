import * as z from 'zod'
import { type Answer, makeTestApp } from './app.ts'

export const problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  code: z.string(),
  requestId: z.string(),
})
export const codeOf = (answer: Answer): unknown => problem.safeParse(answer.json).data?.code

/** The app with a client that has a session and a CSRF token. */
export async function signedIn(overrides: Parameters<typeof makeTestApp>[0] = {}) {
  const kit = makeTestApp(overrides)
  const signedInClient = await kit.signedIn()
  await signedInClient.get('/api/auth/nonce')
  return { ...kit, signedInClient }
}
