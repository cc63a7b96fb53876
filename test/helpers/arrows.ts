import type { ViaService } from '../../dev/stack/flags.ts'
import type { ProxiedStack } from './proxied-stack.ts'
import type { ProxiedCall } from './proxy.ts'

/** Every call a purchase makes to another service, in order. */
export const ARROWS = [
  'claim',
  'verify',
  'settle',
  'receipt',
  'settled mark',
  'create',
  'prediction id',
  'poll',
  'file',
  'object',
  'record',
] as const
export type Arrow = (typeof ARROWS)[number]

/** Finds the calls of one purchase among all: by what is known of it, which grows as it continues. */
export interface Trace {
  match(arrow: Arrow): { part: ViaService; match(call: ProxiedCall): boolean }
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const isClaim = ({ body }: ProxiedCall): boolean => body.includes('claim_payment_1')
const isCreate = ({ method, path }: ProxiedCall): boolean => method === 'POST' && path === '/v1/predictions'
const isRun = ({ method, path }: ProxiedCall): boolean => method === 'GET' && path.startsWith('/v1/predictions/')

const PARTS: Record<Arrow, ViaService> = {
  claim: 'database',
  verify: 'facilitator',
  settle: 'facilitator',
  receipt: 'rpc',
  'settled mark': 'database',
  create: 'provider',
  'prediction id': 'database',
  poll: 'provider',
  file: 'provider',
  object: 'store',
  record: 'database',
}

const KINDS: Record<Arrow, (call: ProxiedCall) => boolean> = {
  claim: isClaim,
  verify: ({ path }) => path.endsWith('/verify'),
  settle: ({ path }) => path.endsWith('/settle'),
  receipt: ({ body }) => body.includes('eth_getTransactionReceipt'),
  'settled mark': ({ body }) => body.includes('mark_settled_1'),
  create: isCreate,
  'prediction id': ({ body }) => body.includes('coalesce(provider_prediction_id'),
  poll: isRun,
  file: ({ path }) => path.startsWith('/at/'),
  object: ({ method }) => method === 'PUT',
  record: ({ body }) => body.includes('record_inference_1'),
}

/** Watches the purchase of the authorization with this nonce. */
export function traceOf({ via }: ProxiedStack, nonce: string): Trace {
  const known = new Set([nonce.toLowerCase()])
  const isOurs = ({ path, body }: ProxiedCall): boolean => {
    for (const token of known) if (body.includes(token) || path.includes(token)) return true
    return false
  }
  const learn = (text: string, pattern: RegExp): void => {
    for (const [token] of text.matchAll(pattern)) known.add(token)
  }
  via.database.onCall((call) => {
    if (isClaim(call) && isOurs(call)) learn(call.body, UUID)
  })
  via.facilitator.onAnswer((call) => {
    if (call.path.endsWith('/settle') && isOurs(call)) learn(call.answer?.body ?? '', /0x[0-9a-f]{64}/g)
  })
  via.provider.onAnswer((call) => {
    if (isCreate(call) && isOurs(call)) learn(call.answer?.body ?? '', /(?<="id": ?")[a-z0-9]{20,}/g)
    if ((isCreate(call) || isRun(call)) && isOurs(call)) learn(call.answer?.body ?? '', /(?<=\/files\/)[0-9a-f]{32}/g)
  })
  return {
    match: (arrow) => ({ part: PARTS[arrow], match: (call) => KINDS[arrow](call) && isOurs(call) }),
  }
}
