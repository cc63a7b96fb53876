import { it } from 'vitest'
import { expectStorm, playStorm } from './storm.ts'

it('behavior: 60 copies of a payment, 15 others and a worker that dies: 16 of everything', async () => {
  expectStorm(await playStorm({ copies: 60, distinct: 15 }))
}, 300_000)
