import type { Database } from '../../db/client.ts'
import type { Chain } from '../../worker/upstreams/chain/chain.ts'
import { makeHttpFacilitator } from '../../worker/upstreams/facilitator/http-facilitator.ts'
import { makeTestConfig } from './config.ts'
import { useDatabase } from './in-process-database.ts'
import { openService, requests, type Service } from './in-process-service.ts'

export type Reply = () => Response

export const json =
  (body: unknown, status = 200): Reply =>
  () =>
    Response.json(body, { status })
export const page =
  (status: number): Reply =>
  () =>
    new Response('<html>Bad gateway</html>', { status })
export const hang: Reply = () => {
  throw new DOMException('The operation was aborted due to timeout', 'TimeoutError')
}
export const reset: Reply = () => {
  throw new TypeError('fetch failed')
}

export const HASH = `0x${'ab'.repeat(32)}` as const
export const valid = json({ isValid: true })
export const settled = (more: Record<string, unknown> = {}): Reply =>
  json({ success: true, transaction: HASH, network: 'eip155:84532', ...more })
export type Outcome = Awaited<ReturnType<Chain['authorizationOutcome']>>

/** The chain's answer, by one word: about the nonce and, when it is spent, of what spent it. */
export function setChain(
  service: Service,
  word: 'unspent' | 'paid' | 'cancelled' | 'spent before' | 'elsewhere' | 'expired' | 'down',
) {
  const { script } = service.chain.state
  service.chain.state.down = word === 'down'
  const now = () => service.clock.now()
  const spent = ['paid', 'cancelled', 'spent before', 'elsewhere'].includes(word)
  const blockTime = () => (word === 'expired' ? new Date(now().getTime() + 3_600_000) : now())
  script.authorizationStatus = async () => ({ spent, blockTime: blockTime() })
  const transfer = { kind: 'transferred', transaction: HASH, logIndex: 3, confirmations: 1 } as const
  const outcomes: Record<string, () => Outcome> = {
    paid: () => ({ ...transfer, blockTime: now() }),
    'spent before': () => ({ ...transfer, blockTime: new Date(now().getTime() - 3_600_000) }),
    cancelled: () => ({ kind: 'cancelled' }),
    elsewhere: () => ({ kind: 'elsewhere' }),
  }
  script.authorizationOutcome = async () => outcomes[word]?.() ?? { kind: 'not_found' }
}

export const served = { status: 200 }
export const rejected = {
  status: 402,
  code: 'payment_rejected',
  paymentState: 'unused',
  nextAction: 'sign_new_payment',
}
export const unknown = {
  status: 503,
  code: 'settlement_unknown',
  paymentState: 'unknown',
  nextAction: 'retry_same_payment',
}

/** A service whose facilitator is the real client over scripted answers, each counted. */
async function openScripted(
  database: Database,
  replies: { verify?: Reply; settle?: Reply },
  config = makeTestConfig(),
) {
  const sent = { verify: 0, settle: 0 }
  const script = { verify: replies.verify ?? valid, settle: replies.settle ?? settled() }
  const facilitator = makeHttpFacilitator({
    url: 'https://facilitator.example',
    fetch: async (url) => {
      if (url.endsWith('/supported')) {
        const kinds = config.networks.map(({ network }) => ({ x402Version: 2, scheme: 'exact', network }))
        return Response.json({ kinds })
      }
      const call = url.endsWith('/verify') ? 'verify' : 'settle'
      sent[call] += 1
      return script[call]()
    },
  })
  const service = openService(database, { facilitator, config })
  setChain(service, 'unspent')
  const buyer = await service.openBuyer()
  const header = await buyer.signedPayment(requests.text)
  return { service, buyer, header, script, sent: () => ({ ...sent, create: service.calls().create }) }
}

/** A database for the tests of a file, and services over it with a scripted facilitator. */
export function useFacilitator() {
  const db = useDatabase()
  const openWith = (replies: { verify?: Reply; settle?: Reply }, config = makeTestConfig()) =>
    openScripted(db.database, replies, config)
  return { db, openWith }
}
