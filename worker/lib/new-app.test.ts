import fc from 'fast-check'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { makeTestDeps } from '../../test/helpers/deps.ts'
import { createApp } from '../app.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']

it('default: every path goes where Hono’s own router sends it', () => {
  const app = createApp(() => makeTestDeps().deps)
  const usual = new Hono()
  for (const { method, path } of app.routes)
    usual.router.add(method, path, [() => undefined, { method, path } as never])
  const matched = (router: typeof usual.router, method: string, path: string) =>
    router.match(method, path)[0].map(([[, route]]) => `${route.method} ${route.path}`)
  const word = fc.constantFrom(
    ...new Set(app.routes.flatMap(({ path }) => path.split('/'))),
    'x',
    'estimate',
    '%2F',
    'a.b',
  )
  const path = fc.array(word, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`)
  fc.assert(
    fc.property(fc.constantFrom(...METHODS), path, (method, at) => {
      expect(matched(app.router as never, method, at)).toEqual(matched(usual.router, method, at))
    }),
    { numRuns: 3000 },
  )
})
