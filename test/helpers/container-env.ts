import { facilitatorKey } from '../../dev/anvil/accounts.ts'
import type { RunningChain } from '../../dev/anvil/chain.ts'
import type { StackSecrets } from '../../dev/worker/secrets.ts'
import { workerEnv } from '../../dev/worker/worker-env.ts'
import { S3_CREDENTIALS, type TestS3 } from './s3.ts'

const TOKEN = 'a bearer of more than thirty-two characters'

/** The services that the container's processes call, and where they are served. */
export interface Places {
  chain: RunningChain
  s3: TestS3
  provider: { url: string }
  secrets: StackSecrets
  origin: string
  port: number
  facilitatorPort: number
}

/** The variables of the server: the dev chain, our facilitator, and no rate limits. */
export function serverEnv(
  { chain, s3, provider, secrets, origin, port, facilitatorPort }: Places,
  databaseUrl: string,
): Record<string, string> {
  const env = workerEnv(
    {
      origin,
      chainId: chain.chainId,
      rpcUrl: chain.url,
      usdc: chain.usdc,
      payTo: chain.payTo,
      facilitatorUrl: `http://127.0.0.1:${facilitatorPort}`,
      databaseUrl,
      databaseHttpUrl: '',
      objectStoreUrl: s3.url,
      bucket: 'results',
      publicUrl: `${s3.url}/results`,
      modelProviderUrl: provider.url,
      contracts: {},
      burnBps: 0,
      limits: false,
      paymentSignIn: false,
      secrets: { ...secrets, storeKeyId: S3_CREDENTIALS.accessKeyId, storeSecret: S3_CREDENTIALS.secretAccessKey },
    },
    { X402_FACILITATOR_TOKEN: TOKEN },
  )
  return { ...env, PORT: `${port}` }
}

/** The variables of our facilitator beside it. */
export const facilitatorEnv = ({ chain, facilitatorPort }: Places, databaseUrl: string): Record<string, string> => ({
  PORT: `${facilitatorPort}`,
  DATABASE_URL: databaseUrl,
  FACILITATOR_PRIVATE_KEY: facilitatorKey().privateKey,
  FACILITATOR_TOKEN: TOKEN,
  PAYMENT_NETWORKS: 'eip155:31337',
  DEV_RPC_URL: chain.url,
  DEV_USDC_ADDRESS: chain.usdc,
  RECEIVER_ADDRESS: chain.payTo,
})
