import { it } from 'vitest'
import { expectStorm, playStorm } from './storm.ts'

it('behavior: 40 copies of a payment, 10 others and a worker that dies: 11 of everything', async () => {
  expectStorm(await playStorm({ copies: 40, distinct: 10 }))
}, 300_000)
