import { privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { done, problem, RESULT, scriptedService, stream } from '../testing/scripted-service.ts'
import { createCoinslot } from './coinslot.ts'

it('default: the library buys inside workerd, and keeps its own cookies there', async () => {
  const service = scriptedService([
    'cut',
    problem(503, { code: 'settlement_unknown', paymentState: 'unknown', nextAction: 'retry_same_payment' }),
    stream(['verified', {}], ['token', { text: 'he' }]),
    done,
  ])
  const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
  const coinslot = createCoinslot({
    origin: 'https://a.example',
    account,
    // As the platform's own `fetch` would take the call: what it does not know in a request it refuses there.
    fetch: (url, init) => {
      new Request(url, init)
      return service.fetch(url, init)
    },
  })
  const run = coinslot.run({ task: 'text-to-text', model: 'a/b', input: { prompt: 'hi' } })
  expect(await run.result()).toEqual(RESULT)
  expect([service.sent.length, new Set(service.sent).size]).toEqual([4, 1])
})
