import type { StackInfo } from './stack-info.ts'

/** The info of a stack that does not run. */
export const STACK_INFO: StackInfo = {
  ready: true,
  origin: 'http://127.0.0.1:1',
  rpcUrl: 'http://127.0.0.1:2',
  chainId: 31337,
  network: 'eip155:31337',
  usdc: '0x01',
  aic: '0x02',
  contracts: { aicToken: '0x02' },
  payTo: '0x03',
  facilitatorUrl: null,
  databaseUrl: 'postgres://x',
  databaseHttpUrl: 'http://127.0.0.1:4/sql',
  objectStoreUrl: 'http://127.0.0.1:5',
  publicUrl: 'http://127.0.0.1:5/coinslot',
  modelProviderUrl: 'http://127.0.0.1:6/v1',
  webhookSecret: 'whsec_x',
  buyers: [{ address: '0x04', privateKey: '0x05' }],
  workerPid: 7,
  logDir: '/logs',
}
