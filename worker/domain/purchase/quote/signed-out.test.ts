import {
  isValidServiceName,
  sanitizeTags,
  validateAndExtract,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from '@x402/extensions/bazaar'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { makeTestApp } from '../../../../test/helpers/app.ts'
import { catalogue } from '../../models/catalogue.ts'
import type { Model } from '../../models/model.ts'

const database = { run: async () => [], batch: async () => [] }

type Bazaar = Parameters<typeof validateDiscoveryExtension>[0]
const bazaarSchema = z.custom<Bazaar>((value) => typeof value === 'object')
const requiredSchema = z.looseObject({
  resource: z.object({
    url: z.url(),
    description: z.string().max(500),
    mimeType: z.string(),
    serviceName: z.string(),
    tags: z.array(z.string()),
  }),
  extensions: z.looseObject({ bazaar: bazaarSchema }),
})

const isOnSale = ({ deprecatedAt = '9999' }: Model) => deprecatedAt > makeTestApp().clock.now().toISOString()

const onSale = catalogue.filter(isOnSale)

it.each(onSale)('default: catalogues accept the challenge for $id', async ({ id, task, examples }) => {
  const app = makeTestApp({ database })
  const answer = await app.client().post('/api/inference', { task, model: id, input: examples[0] })
  expect(answer.status).toBe(402)
  const { resource, extensions } = requiredSchema.parse(answer.json)
  expect(validateDiscoveryExtension(extensions.bazaar)).toEqual({ valid: true })
  expect(validateDiscoveryExtensionSpec({ ...extensions.bazaar })).toMatchObject({ valid: true })
  expect(validateAndExtract(extensions.bazaar)).toMatchObject({ valid: true })
  expect(isValidServiceName(resource.serviceName)).toBe(true)
  expect(sanitizeTags(resource.tags)).toEqual(resource.tags)
})
