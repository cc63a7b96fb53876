import { isJsonContentType, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { isFields, isTooDeep, MAX_DEPTH } from '../../src/json-fields.ts'

/** Refused over HTTP. JSON-RPC has no code for these. */
const REFUSED = -32_000

/** The refusal before the body is read; null for a message to read. */
export function refusalOf({ method, headers }: Request): Response | null {
  if (method !== 'POST') return rpcError(405, REFUSED, 'Use POST here.', { Allow: 'POST' })
  const isPlain = (headers.get('Content-Encoding') ?? 'identity').toLowerCase() === 'identity'
  if (isPlain && isJsonContentType(headers.get('Content-Type'))) return null
  return rpcError(415, REFUSED, 'Send uncompressed `Content-Type: application/json`.')
}

export const tooMany = (): Response =>
  rpcError(429, REFUSED, 'Too many messages from this address. Wait a minute.', { 'Retry-After': '60' })

export const tooLarge = (): Response => rpcError(413, REFUSED, 'A body may hold at most 64 KiB.')

/** The refusal before the SDK sees the message; null for a message to answer. */
export function faultOf(message: unknown): Response | null {
  if (message === undefined) return rpcError(400, ProtocolErrorCode.ParseError, 'The body must be one JSON value.')
  if (!isFields(message)) return rpcError(400, ProtocolErrorCode.InvalidRequest, 'Send one JSON-RPC message, no batch.')
  if (isTooDeep(message))
    return rpcError(400, ProtocolErrorCode.InvalidRequest, `JSON may nest ${MAX_DEPTH} levels deep.`)
  // A stream that stays open. This server has no events to send on it.
  if (message['method'] !== 'subscriptions/listen') return null
  const id = message['id']
  const isId = typeof id === 'string' || typeof id === 'number'
  return rpcError(404, ProtocolErrorCode.MethodNotFound, 'Method not found', {}, isId ? id : null)
}

const rpcError = (
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
  id: string | number | null = null,
): Response => Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status, headers })
