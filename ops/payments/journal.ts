import { UsageError } from '../../client/node/errors.ts'
import { findLocalStack } from '../../client/node/local-stack.ts'
import type { Database } from '../../db/client.ts'
import { KNOWN_NETWORKS } from '../../protocol/networks.ts'
import { MAX_CONFIRMATIONS } from '../../worker/config/env.ts'
import { ConfigError, makeEnvReader } from '../../worker/config/reader.ts'
import * as check from '../../worker/config/schemas.ts'
import type { ChainCheckDeps } from '../../worker/domain/purchase/recovery/chain-check.ts'
import { chooseDatabase } from '../../worker/node/start-database.ts'
import { makeViemChain } from '../../worker/upstreams/chain/viem-chain.ts'
import { findSource, readEnvFile, type Source } from '../doctor/source.ts'
import type { Local } from './view.ts'

/** The parts that the operator's commands work on. */
export interface Journal extends ChainCheckDeps {
  database: Database
  /** The running local stack. */
  local: Local
  now(): Date
}

/** Opens the journal at DATABASE_URL. Throws `UsageError` when it is not set. */
export async function openJournal({ envFile }: { envFile?: string }): Promise<Journal> {
  const env = await variables(envFile)
  const { DATABASE_URL: databaseUrl, DATABASE_HTTP_URL: databaseHttpUrl } = env
  if (!databaseUrl) throw new UsageError('DATABASE_URL is not set: name the database of the journal')
  const read = makeEnvReader(env)
  const minConfirmations = read.optional('MIN_CONFIRMATIONS', check.integer(0, MAX_CONFIRMATIONS)) ?? 1
  if (read.faults.length > 0) throw new ConfigError(read.faults)
  // Chains without a configured RPC are read at a public one.
  const networks = Object.values(KNOWN_NETWORKS).map(({ chainId, rpcVariable, defaultRpcUrl }) => ({
    chainId,
    rpcUrl: env[rpcVariable] || defaultRpcUrl,
  }))
  return {
    database: chooseDatabase({ databaseUrl, ...(databaseHttpUrl && { databaseHttpUrl }) }),
    chain: makeViemChain(networks),
    config: { minConfirmations },
    local: await findLocalStack(),
    now: () => new Date(),
  }
}

async function variables(envFile: string | undefined): Promise<Source['env']> {
  if (envFile !== undefined) return readEnvFile(envFile)
  return process.env['DATABASE_URL'] ? process.env : (await findSource({})).env
}
