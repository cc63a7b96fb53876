import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { accessDenied, invalidRequest, notImplemented, S3Error } from './s3-error.ts'
import { encode, type Target } from './target.ts'

export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
}

export interface SignedRequest {
  method: string
  target: Target
  headers: IncomingHttpHeaders
}

/** The caller. `payloadSha256` is the required hash of the body; null if the signature does not cover the body. */
export type Caller = { kind: 'anonymous' } | { kind: 'owner'; payloadSha256: string | null }

const ALGORITHM = 'AWS4-HMAC-SHA256'
const UNSIGNED = 'UNSIGNED-PAYLOAD'
const SKEW_MS = 15 * 60_000
const MAX_EXPIRES_SECONDS = 604_800

/** The claims of a caller, from the `Authorization` header or from a presigned query. */
interface Claim {
  presigned: boolean
  credential: string
  signedHeaders: string[]
  signature: string
  date: string
}

/** Verifies AWS Signature Version 4 for the service `s3` and any region. Throws `S3Error`. A call without a signature is anonymous. */
export function identify(request: SignedRequest, credentials: Credentials, now: Date): Caller {
  const claim = readClaim(request)
  if (claim === null) return { kind: 'anonymous' }
  const scope = checkScope(claim, credentials)
  checkTime(claim, request, now)
  checkSignedHeaders(claim, request)
  const payloadHash = declaredPayloadHash(claim, request)
  const text = [ALGORITHM, claim.date, scope.join('/'), sha256(canonicalRequest(claim, request, payloadHash))].join(
    '\n',
  )
  if (!sameText(hmac(signingKey(credentials, scope), text).toString('hex'), claim.signature)) {
    throw new S3Error(403, 'SignatureDoesNotMatch', 'The signature we calculated does not match the one you sent')
  }
  return { kind: 'owner', payloadSha256: payloadHash === UNSIGNED ? null : payloadHash }
}

function readClaim({ headers, target }: SignedRequest): Claim | null {
  const query = new Map(target.query)
  const presigned = query.has('X-Amz-Signature')
  if (headers.authorization === undefined) return presigned ? readPresigned(query) : null
  if (presigned) throw invalidRequest('Only one way of authentication is allowed')
  const match = /^AWS4-HMAC-SHA256 Credential=([^, ]+), ?SignedHeaders=([^, ]+), ?Signature=([0-9a-f]{64})$/.exec(
    headers.authorization,
  )
  const date = headers['x-amz-date']
  if (match === null) throw new S3Error(400, 'AuthorizationHeaderMalformed', 'The authorization header is malformed')
  if (typeof date !== 'string') throw accessDenied('x-amz-date is required')
  const [, credential = '', signedHeaders = '', signature = ''] = match
  return { presigned: false, credential, signedHeaders: signedHeaders.split(';'), signature, date }
}

function readPresigned(query: Map<string, string>): Claim {
  const member = (name: string): string => {
    const value = query.get(`X-Amz-${name}`)
    if (value === undefined) throw new S3Error(400, 'AuthorizationQueryParametersError', `X-Amz-${name} is required`)
    return value
  }
  if (member('Algorithm') !== ALGORITHM) throw invalidRequest(`only ${ALGORITHM} is served`)
  const signedHeaders = member('SignedHeaders').split(';')
  return {
    presigned: true,
    credential: member('Credential'),
    signedHeaders,
    signature: member('Signature'),
    date: member('Date'),
  }
}

/** The parts of the scope: day, region, service, `aws4_request`. */
function checkScope({ credential, date }: Claim, { accessKeyId }: Credentials): string[] {
  const [id, ...scope] = credential.split('/')
  if (id !== accessKeyId) throw new S3Error(403, 'InvalidAccessKeyId', 'The access key id does not exist here')
  const [day, , service, end] = scope
  if (scope.length !== 4 || day !== date.slice(0, 8) || service !== 's3' || end !== 'aws4_request') {
    throw new S3Error(400, 'AuthorizationHeaderMalformed', 'The credential must be <id>/<day>/<region>/s3/aws4_request')
  }
  return scope
}

function checkTime({ presigned, date }: Claim, { target }: SignedRequest, now: Date): void {
  const iso = date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  const age = now.getTime() - Date.parse(iso)
  if (Number.isNaN(age)) throw accessDenied('The date is not written as 20260102T030405Z')
  if (!presigned) {
    if (Math.abs(age) <= SKEW_MS) return
    throw new S3Error(403, 'RequestTimeTooSkewed', 'The time of the request is more than 15 minutes off')
  }
  const expires = Number(new Map(target.query).get('X-Amz-Expires'))
  if (!(expires >= 1 && expires <= MAX_EXPIRES_SECONDS)) {
    throw new S3Error(400, 'AuthorizationQueryParametersError', `X-Amz-Expires must be 1 to ${MAX_EXPIRES_SECONDS}`)
  }
  if (age > expires * 1000 || age < -SKEW_MS) throw accessDenied('Request has expired or is not yet valid')
}

/** The signature must cover the host and every `x-amz-*` header, since anyone in between could change the others. */
function checkSignedHeaders({ presigned, signedHeaders }: Claim, { headers }: SignedRequest): void {
  const mustBeSigned = (name: string): boolean =>
    name === 'host' || (name.startsWith('x-amz-') && !(presigned && name === 'x-amz-content-sha256'))
  const missing = Object.keys(headers).filter((name) => mustBeSigned(name) && !signedHeaders.includes(name))
  if (missing.length > 0) throw accessDenied(`Headers present in the request were not signed: ${missing.join(', ')}`)
}

function declaredPayloadHash({ presigned, signedHeaders }: Claim, { headers }: SignedRequest): string {
  const declared = headers['x-amz-content-sha256']
  if (presigned && !signedHeaders.includes('x-amz-content-sha256')) return UNSIGNED
  if (typeof declared !== 'string') throw invalidRequest('Missing required header x-amz-content-sha256')
  if (declared.startsWith('STREAMING-')) throw notImplemented('A body in signed chunks')
  if (declared !== UNSIGNED && !/^[0-9a-f]{64}$/.test(declared)) throw invalidRequest('x-amz-content-sha256 is no hash')
  return declared
}

function canonicalRequest({ signedHeaders }: Claim, request: SignedRequest, payloadHash: string): string {
  const { method, target, headers } = request
  const query = target.query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
  const lines = signedHeaders.map(
    (name) =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .replace(/\s+/g, ' ')}\n`,
  )
  return [method, target.canonicalPath, query.join('&'), lines.join(''), signedHeaders.join(';'), payloadHash].join(
    '\n',
  )
}

const signingKey = ({ secretAccessKey }: Credentials, scope: string[]): Buffer =>
  scope.reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secretAccessKey}`))

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

function sameText(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
