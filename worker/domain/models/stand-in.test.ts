import { expect, it } from 'vitest'
import { findModel } from './catalogue.ts'
import { describeModel } from './stand-in.ts'

const flux = findModel('black-forest-labs/flux-schnell')
const provider = (baseUrl: string) => ({ baseUrl, token: 't', fileHosts: [] })

it('behavior: a model names its local substitute only in development with a local provider', () => {
  if (!flux) throw new Error('no flux')
  const local = provider('http://127.0.0.1:4000/v1')
  expect(describeModel(flux, { environment: 'development', provider: local })).toContain(
    'Here a built-in renderer draws instead; this model does not run.',
  )
  const real = provider('https://api.replicate.com/v1')
  expect(describeModel(flux, { environment: 'development', provider: real })).toBe(flux.description)
  expect(describeModel(flux, { environment: 'production', provider: local })).toBe(flux.description)
})
