import { expect, test } from 'vitest'
import { checkQueue, findSource, type Queues } from './source.ts'

const producers = [{ binding: 'WAKE_UPS', queue: 'wake-ups' }]
const consumers = [{ queue: 'wake-ups' }]

test.each<[string, Queues, string, RegExp]>([
  [
    'error: C5 a queue that no one asked for is not called good',
    { producers, consumers },
    'skip',
    /queues create wake-ups/,
  ],
  ['error: no queue', {}, 'warn', /no queue is bound as WAKE_UPS/],
  [
    'error: a queue with another binding',
    { producers: [{ binding: 'JOBS', queue: 'jobs' }], consumers },
    'warn',
    /WAKE_UPS/,
  ],
  ['error: a queue that nothing reads', { producers, consumers: [{ queue: 'others' }] }, 'fail', /does not read it/],
])('%s', (_title, queues, status, detail) => {
  expect(checkQueue(queues, 'production')).toMatchObject({ status, detail: expect.stringMatching(detail) })
})

test.each(['preview', 'production'])('default: the %s environment of wrangler.toml has its own queue', async (name) => {
  const { findings } = await findSource({ deployment: name })
  expect(findings).toMatchObject([{ status: 'skip', detail: expect.stringContaining(`coinslot-${name}-wake-ups`) }])
})
