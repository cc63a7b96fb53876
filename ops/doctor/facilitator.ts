import * as z from 'zod'
import { call, type Fetch, jsonOf } from '../../worker/lib/http.ts'
import { makeAuthorization } from '../../worker/upstreams/facilitator/facilitator-auth.ts'
import { type Check, type Finding, fail, ok, skip, warn, wordsOf } from './finding.ts'

const DEADLINE_MS = 10_000
const kindSchema = z.object({ x402Version: z.literal(2), scheme: z.literal('exact'), network: z.string() })
const supportedSchema = z.object({ kinds: z.array(z.unknown()) })

/** Checks that the facilitator answers, settles on each configured network, and accepts the token. */
export const checkFacilitator: Check = async ({ config, fetch, now }) => {
  const { facilitator, networks } = config
  if (facilitator === null) return [skip('facilitator', 'skipped on the dev chain: nothing is settled')]
  const { url } = facilitator
  const authorize = makeAuthorization(facilitator, () => now().getTime())
  const answer = await authorize('GET', `${url}/supported`)
    .then((headers) => call(fetch, `${url}/supported`, { headers: { ...headers }, deadlineMs: DEADLINE_MS }))
    .catch(wordsOf)
  const body = supportedSchema.safeParse(typeof answer === 'string' ? undefined : jsonOf(answer.text))
  if (typeof answer === 'string' || !body.success) {
    const how = typeof answer === 'string' ? `does not answer: ${answer}` : `answers ${answer.status} without a list`
    const advice =
      'Start the facilitator, or correct X402_FACILITATOR_URL (the address before /supported). Until then every price is 503.'
    return [fail('facilitator', `${url} ${how}`, advice)]
  }
  const kinds = body.data.kinds.map((kind) => kindSchema.safeParse(kind))
  const supported = new Set(kinds.flatMap((kind) => (kind.success ? [kind.data.network] : [])))
  const missing = networks.filter(({ network }) => !supported.has(network))
  if (missing.length > 0) {
    const names = missing.map(({ name, network }) => `${name} (${network})`).join(', ')
    const advice =
      'Take another facilitator, run the one of this repository (docs/deploy.md, "Run your own facilitator"; its PAYMENT_NETWORKS must name it), or leave ' +
      'the network out of PAYMENT_NETWORKS. It is left out of every price meanwhile.'
    return [fail('facilitator', `${url} does not settle on ${names}`, advice)]
  }
  const names = networks.map(({ network }) => network).join(', ')
  return [(await faultOfVerify(url, authorize, fetch)) ?? ok('facilitator', `${url} settles on ${names}`)]
}

/** The list may come from a cache while `/verify` fails. A working `/verify` refuses an empty call because of its body. */
async function faultOfVerify(
  url: string,
  authorize: ReturnType<typeof makeAuthorization>,
  fetch: Fetch,
): Promise<Finding | null> {
  const answer = await authorize('POST', `${url}/verify`)
    .then((headers) => {
      const options = { headers: { 'content-type': 'application/json', ...headers }, deadlineMs: DEADLINE_MS }
      return call(fetch, `${url}/verify`, { method: 'POST', body: '{}', ...options })
    })
    .catch(wordsOf)
  const status = typeof answer === 'string' ? 0 : answer.status
  const how = typeof answer === 'string' ? `does not answer: ${answer}` : `answers ${status}`
  const detail = `${url}/verify ${how}`
  if (status === 401 || status === 403) {
    const advice =
      'X402_FACILITATOR_TOKEN: set the bearer that this facilitator gave you (ours: its FACILITATOR_TOKEN). Coinbase CDP wants ' +
      'X402_FACILITATOR_KEY_ID and X402_FACILITATOR_KEY_SECRET instead.'
    return fail('facilitator', detail, advice)
  }
  const isOut = status === 0 || status === 404 || status === 405 || status === 429 || status > 500
  if (isOut) {
    const advice =
      'It lists what it settles, but does not settle. See its health and log (ours: /health), or correct X402_FACILITATOR_URL. Until then every paid call is 503.'
    return fail('facilitator', detail, advice)
  }
  if (status === 500)
    return warn(
      'facilitator',
      detail,
      'Some facilitators answer an empty call like this. Buy something cheap to be sure.',
    )
  return null
}
