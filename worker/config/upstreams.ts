import type { Config, PaymentNetwork } from './config.ts'
import type { EnvReader } from './reader.ts'
import * as check from './schemas.ts'
import type { Environment } from './site.ts'

const PROVIDER_HOST = 'api.replicate.com'
const PROVIDER_FILE_HOSTS = ['replicate.delivery', '*.replicate.delivery']

/** The model provider. By default its result files may come from the real provider's hosts and from the base URL's host. */
export function readProvider(read: EnvReader, environment: Environment): Config['provider'] | undefined {
  const token = read.required('MODEL_PROVIDER_API_TOKEN', check.anyText)
  const baseUrl = read.optional('MODEL_PROVIDER_BASE_URL', check.baseUrl) ?? `https://${PROVIDER_HOST}/v1`
  const webhookSecret = read.optional('MODEL_PROVIDER_WEBHOOK_SECRET', check.webhookSecret)
  const fileHosts = read.optional('MODEL_PROVIDER_FILE_HOSTS', check.list(check.hostPattern))
  if (environment === 'production' && baseUrl.startsWith('http:')) {
    read.fault('MODEL_PROVIDER_BASE_URL', 'must be https in production')
  }
  if (token === undefined) return undefined
  return {
    baseUrl,
    token,
    ...(webhookSecret !== undefined && { webhookSecret }),
    fileHosts: fileHosts ?? [...PROVIDER_FILE_HOSTS, new URL(baseUrl).hostname],
  }
}

/**
 * Free test money must never buy real compute: a test network beside the provider's real host is a fault, but for preview,
 * where only administrators may buy. True when they alone may.
 */
export function readBuyersRestricted(
  read: EnvReader,
  environment: Environment,
  networks: readonly PaymentNetwork[],
  provider: Config['provider'],
): boolean {
  const isMixed = networks.some(({ isTest }) => isTest) && new URL(provider.baseUrl).hostname === PROVIDER_HOST
  if (isMixed && environment === 'development') {
    read.fault(
      'MODEL_PROVIDER_BASE_URL',
      'is the real provider beside a test network, which only ENVIRONMENT=preview may do',
    )
  }
  return isMixed
}

/** S3-compatible storage; without `OBJECT_STORE_ENDPOINT` it is the account's R2. */
export function readObjectStore(read: EnvReader, environment: Environment): Config['objectStore'] | undefined {
  const given = read.optional('OBJECT_STORE_ENDPOINT', check.baseUrl)
  const isR2 = read.text('OBJECT_STORE_ENDPOINT') === undefined
  const accountId = isR2 ? read.required('OBJECT_STORE_ACCOUNT_ID', check.accountId) : undefined
  const accessKeyId = read.required('OBJECT_STORE_ACCESS_KEY_ID', check.anyText)
  const secretAccessKey = read.required('OBJECT_STORE_SECRET_ACCESS_KEY', check.anyText)
  const bucket = read.required('OBJECT_STORE_BUCKET_NAME', check.bucket)
  const publicUrl = read.required('OBJECT_STORE_PUBLIC_URL', check.baseUrl)
  if (environment === 'production' && publicUrl?.startsWith('http:')) {
    read.fault('OBJECT_STORE_PUBLIC_URL', 'must be https in production')
  }
  const endpoint =
    given === undefined ? `https://${accountId}.r2.cloudflarestorage.com` : endpointOf(read, given, bucket)
  if (accessKeyId === undefined || secretAccessKey === undefined || bucket === undefined || publicUrl === undefined) {
    return undefined
  }
  return { endpoint, bucket, accessKeyId, secretAccessKey, publicUrl }
}

/** Hosts of S3 services that also take the bucket as the first label of the host name. */
const BUCKET_HOSTS = /\.(r2\.cloudflarestorage|amazonaws)\.com$/

/** The endpoint without the bucket, which R2's page shows as part of it: the bucket goes into each object's address anyway. */
function endpointOf(read: EnvReader, given: string, bucket: string | undefined): string {
  if (bucket === undefined) return given
  const { hostname, pathname } = new URL(given)
  if (BUCKET_HOSTS.test(hostname) && hostname.startsWith(`${bucket}.`)) {
    read.fault('OBJECT_STORE_ENDPOINT', 'must not have the bucket in its host name')
  }
  return pathname.endsWith(`/${bucket}`) ? given.slice(0, -bucket.length - 1) : given
}
