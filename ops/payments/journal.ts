import { UsageError } from '../../client/cli/flags.ts'
import { findLocalStack } from '../../client/node/local-stack.ts'
import type { Database } from '../../db/client.ts'
import type { Chain } from '../../worker/chain/chain.ts'
import { makeViemChain } from '../../worker/chain/viem-chain.ts'
import { KNOWN_NETWORKS } from '../../worker/networks.ts'
import { chooseDatabase } from '../../worker/node/start-database.ts'
import { findSource, readEnvFile, type Source } from '../doctor/source.ts'
import type { Local } from './view.ts'

/** What the operator's commands work on. */
export interface Journal {
  database: Database
  /** Chains whose RPC is not named are asked at a public one. */
  chain: Pick<Chain, 'authorizationStatus' | 'authorizationOutcome'>
  /** The stack that runs beside us. */
  local: Local
  now(): Date
}

/** Opens the journal that the variables name. Throws when none do. */
export async function openJournal({ envFile }: { envFile?: string }): Promise<Journal> {
  const env = await variables(envFile)
  const { DATABASE_URL: databaseUrl, DATABASE_HTTP_URL: databaseHttpUrl } = env
  if (!databaseUrl) throw new UsageError('DATABASE_URL is not set: name the database of the journal')
  const networks = Object.values(KNOWN_NETWORKS).map(({ chainId, rpcVariable, defaultRpcUrl }) => ({
    chainId,
    rpcUrl: env[rpcVariable] || defaultRpcUrl,
  }))
  return {
    database: chooseDatabase({ databaseUrl, ...(databaseHttpUrl && { databaseHttpUrl }) }),
    chain: makeViemChain(networks),
    local: await findLocalStack(),
    now: () => new Date(),
  }
}

async function variables(envFile: string | undefined): Promise<Source['env']> {
  if (envFile !== undefined) return readEnvFile(envFile)
  return process.env['DATABASE_URL'] ? process.env : (await findSource({})).env
}
