import type { WorkerServices } from './worker-env.ts'

export const ADDRESS = '0x1005Dc00000000000000000000000000000005dC'
/** Services that do not run. */
export const PEERS: WorkerServices = {
  origin: 'http://127.0.0.1:8787',
  chainId: 31337,
  rpcUrl: 'http://127.0.0.1:1',
  usdc: ADDRESS,
  payTo: '0xc90cf362B62f185f47a1abD6Fa2951bE56bD9FDe',
  facilitatorUrl: 'http://127.0.0.1:2',
  databaseUrl: 'postgres://coinslot@localhost/coinslot',
  databaseHttpUrl: 'http://127.0.0.1:3/sql',
  objectStoreUrl: 'http://127.0.0.1:4',
  bucket: 'coinslot',
  publicUrl: 'http://127.0.0.1:4/coinslot',
  modelProviderUrl: 'http://127.0.0.1:5/v1',
  contracts: { aicToken: ADDRESS, wrappedAic: ADDRESS, aicStaking: ADDRESS, splitter: ADDRESS },
  burnBps: 2_000,
  limits: true,
  paymentSignIn: false,
  secrets: {
    sessionSecret: '0123456789abcdef0123456789abcdef',
    webhookSecret: `whsec_${Buffer.alloc(24, 1).toString('base64')}`,
    providerToken: 'token',
    storeKeyId: 'id',
    storeSecret: 'secret',
    receiptKey: `0x${'33'.repeat(32)}`,
  },
}
