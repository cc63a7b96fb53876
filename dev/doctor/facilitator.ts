import * as z from 'zod'
import { call, jsonOf } from '../../worker/http.ts'
import { type Check, fail, ok, skip, wordsOf } from './finding.ts'

const DEADLINE_MS = 10_000
const kindSchema = z.object({ x402Version: z.literal(2), scheme: z.literal('exact'), network: z.string() })
const supportedSchema = z.object({ kinds: z.array(z.unknown()) })

/** Whether the facilitator answers, settles on each of our networks, and lets us in. */
export const checkFacilitator: Check = async ({ config, fetch }) => {
  const { facilitator, networks } = config
  if (facilitator === null) return [skip('facilitator', 'skipped on the dev chain: nothing is settled')]
  const { url, token } = facilitator
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const answer = await call(fetch, `${url}/supported`, { headers, deadlineMs: DEADLINE_MS }).catch(wordsOf)
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
      'Take another facilitator, run our own (docs/deploy.md, "Our own facilitator"; its PAYMENT_NETWORKS must name it), or leave ' +
      'the network out of PAYMENT_NETWORKS. It is left out of every price meanwhile.'
    return [fail('facilitator', `${url} does not settle on ${names}`, advice)]
  }
  const refused = await call(fetch, `${url}/verify`, { method: 'POST', headers, body: '{}', deadlineMs: DEADLINE_MS })
    .then(({ status }) => (status === 401 || status === 403 ? status : null))
    .catch(() => null)
  if (refused !== null) {
    const advice =
      'X402_FACILITATOR_TOKEN: set the bearer that this facilitator gave you (ours: its FACILITATOR_TOKEN).'
    return [fail('facilitator', `${url} answers ${refused} to /verify`, advice)]
  }
  return [ok('facilitator', `${url} settles on ${networks.map(({ network }) => network).join(', ')}`)]
}
