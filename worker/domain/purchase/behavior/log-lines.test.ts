import { expect, it } from 'vitest'
import { DatabaseUnavailable } from '../../../../db/client.ts'
import { TEST_SECRET } from '../../../../test/helpers/config.ts'
import { useDatabase } from '../../../../test/helpers/in-process-database.ts'
import { openService, requests, type Service } from '../../../../test/helpers/in-process-service.ts'
import { logLine } from '../../../lib/log.ts'
import { ProviderError } from '../../../upstreams/provider/provider.ts'

const PROMPT = 'a hushed prompt about my neighbour'
const body = { ...requests.text, input: { prompt: PROMPT } }

const db = useDatabase()

const linesOf = (service: Service): string =>
  service.log.lines.map(({ level, event, fields }) => logLine(level, event, fields)).join('\n')

/** One purchase in the service, and what must not be in its log. */
async function buy(service: Service) {
  const buyer = await service.openBuyer()
  const header = await buyer.signedPayment(body)
  const answer = await buyer.answer(body, header)
  await service.finish()
  const { signature } = JSON.parse(Buffer.from(header, 'base64').toString()).payload
  const secrets = [
    PROMPT,
    'hushed',
    signature.slice(2),
    header,
    TEST_SECRET,
    buyer.account.address,
    ...buyer.cookies.values(),
  ]
  return { answer, secrets }
}

const faults: [string, (service: Service) => void, number][] = [
  ['that succeeds', () => undefined, 200],
  [
    'whose input the provider refuses with the prompt in its words',
    ({ provider }) => {
      provider.state.createError = new ProviderError(
        'input',
        `the provider answered 422: {"detail":"${PROMPT} is bad"}`,
      )
    },
    502,
  ],
  [
    'whose run fails with the prompt in the error',
    ({ provider }) => {
      provider.state.plays = (run) => ({
        ...run,
        status: 'failed',
        rawStatus: 'failed',
        output: null,
        error: PROMPT,
        lastLog: PROMPT,
      })
    },
    502,
  ],
  [
    'that the facilitator refuses with address and signature in its words',
    ({ facilitator }) => {
      facilitator.state.verifies = async () => {
        const { payload } = facilitator.state.verified.at(-1)?.payload ?? {}
        return { kind: 'invalid', reason: `insufficient_funds ${payload?.authorization.from} ${payload?.signature}` }
      }
    },
    402,
  ],
  [
    'whose settlement throws with everything in the message',
    ({ facilitator }) => {
      facilitator.state.settles = async () => {
        throw new Error(`settle ${JSON.stringify(facilitator.state.settled.at(-1))}\nof ${PROMPT}`)
      }
    },
    503,
  ],
  [
    'after which the database is away with the statement in its words',
    ({ facilitator, deps }) => {
      facilitator.state.settles = async () => {
        const cause = new Error(`Failed query\nparams: ${PROMPT}`)
        deps.database.run = () => Promise.reject(new DatabaseUnavailable('away', { cause }))
        return { kind: 'settled', transaction: `0x${'12'.repeat(32)}` }
      }
    },
    503,
  ],
]

it.each(faults)(
  'behavior: the log of a purchase %s has no prompt, signature, secret or whole address',
  async (_what, arrange, status) => {
    const service = openService(db.database)
    arrange(service)
    const { answer, secrets } = await buy(service)
    expect(answer.status).toBe(status)
    const text = linesOf(service)
    for (const secret of secrets) expect(text.toLowerCase()).not.toContain(secret.toLowerCase())
    expect(text).not.toMatch(/0x[0-9a-f]{40}\b/i)
    expect(text).toContain('"route":"/api/inference"')
  },
)

it('default: a purchase leaves its changes of state, the run and its request line behind', async () => {
  const service = openService(db.database)
  await buy(service)
  const logged = service.log.lines.map(({ event, fields }) => [event, fields['to'] ?? fields['route'] ?? ''])
  expect(logged.slice(-5)).toEqual([
    ['payment.moved', 'settling'],
    ['payment.moved', 'settled'],
    ['prediction.started', ''],
    ['payment.moved', 'done'],
    ['request', '/api/inference'],
  ])
})
