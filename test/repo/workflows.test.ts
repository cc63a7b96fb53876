import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, '.github/workflows')
const workflowSchema = z.looseObject({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.looseObject({
      'timeout-minutes': z.number(),
      steps: z.array(z.looseObject({ uses: z.string().optional(), run: z.string().optional() })),
    }),
  ),
})
const workflows = readdirSync(FOLDER).map((name) => ({
  name,
  workflow: workflowSchema.parse(parse(readFileSync(join(FOLDER, name), 'utf8'))),
}))
const steps = workflows.flatMap(({ workflow }) => Object.values(workflow.jobs).flatMap((job) => job.steps))

test('error: every action is pinned by its commit', () => {
  const used = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]))
  expect(used.length).toBeGreaterThan(0)
  expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([])
})

test('error: G8 every image that a step runs is pinned by its digest', () => {
  const images = steps.flatMap(({ run }) => run?.match(/[\w.-]+\/[\w.-]+:v[\w.-]+(@sha256:[0-9a-f]{64})?/g) ?? [])
  expect(images.length).toBeGreaterThan(0)
  expect(images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual([])
})

test('error: no workflow may write to the repository, and no step runs text from outside', () => {
  for (const { workflow } of workflows) expect(Object.values(workflow.permissions)).not.toContain('write')
  expect(steps.filter(({ run }) => run?.includes('${{ github.event'))).toEqual([])
})

test('behavior: continuous integration runs what npm test runs', () => {
  expect(steps.map(({ run }) => run)).toContain('.ci/run')
  expect(readFileSync(join(ROOT, '.ci/run'), 'utf8')).toMatch(/^npm test$/m)
})

test('behavior: the bucket lets the site read and no one write, and expires nothing', () => {
  const cors = z
    .object({
      rules: z.array(
        z.looseObject({
          allowed: z.object({
            origins: z.array(z.string()),
            methods: z.array(z.string()),
            headers: z.array(z.string()),
          }),
        }),
      ),
    })
    .parse(JSON.parse(readFileSync(join(ROOT, 'docs/deploy/r2-cors.json'), 'utf8')))
  expect(cors.rules.flatMap(({ allowed }) => allowed.methods)).toEqual(['GET', 'HEAD'])
  expect(cors.rules.flatMap(({ allowed }) => allowed.origins).join()).not.toContain('*')
  const lifecycle = z
    .object({
      rules: z.array(
        z.looseObject({
          conditions: z.object({ prefix: z.string() }),
          deleteObjectsTransition: z.unknown().optional(),
        }),
      ),
    })
    .parse(JSON.parse(readFileSync(join(ROOT, 'docs/deploy/r2-lifecycle.json'), 'utf8')))
  const deleting = lifecycle.rules.filter((rule) => rule.deleteObjectsTransition !== undefined)
  expect(deleting.map(({ conditions }) => conditions.prefix)).toEqual(['doctor/'])
})
