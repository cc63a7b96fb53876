import { it } from 'vitest'
import { expectStorm, playStorm } from './storm.ts'

it('behavior: 200 copies of a payment, 50 others and a worker that dies: 51 of everything', async () => {
  expectStorm(await playStorm())
}, 300_000)
