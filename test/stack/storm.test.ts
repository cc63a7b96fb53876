import { it } from 'vitest'
import { expectStorm, playStorm } from './storm.ts'

it('behavior: 200 copies of a payment and 50 others, and a worker that dies amid them: 51 of everything', async () => {
  expectStorm(await playStorm())
}, 300_000)
