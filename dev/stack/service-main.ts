import { runService } from '../process/service.ts'

/** Runs one service of the local stack in this process: `node dev/stack/service-main.ts database`. */
switch (process.argv[2]) {
  case 'chain':
    await runService((await import('../anvil/chain.ts')).startChain)
    break
  case 'database':
    await runService((await import('../neon/server.ts')).startNeonServer)
    break
  case 'store':
    await runService((await import('../s3/server.ts')).startS3Server)
    break
  case 'provider':
    await runService((await import('../provider/server.ts')).startProvider)
    break
  case 'facilitator':
    await import('../facilitator/main.ts')
    break
  default:
    throw new Error('name a service: chain, database, store, provider or facilitator')
}
