import { readFile } from 'node:fs/promises'
import type { Address, Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { decryptKeystore } from '../../client/node/keystore.ts'
import { readAic } from '../../worker/config/aic.ts'
import type { PaymentNetwork } from '../../worker/config/config.ts'
import { readNetworks } from '../../worker/config/networks.ts'
import { ConfigError, type EnvReader, makeEnvReader } from '../../worker/config/reader.ts'
import * as check from '../../worker/config/schemas.ts'

export interface SplitOptions {
  /** The first payment network, where AIC lives. */
  network: PaymentNetwork
  /** The token that AIC payments are made with. */
  token: Address
  splitter: Address
  /** `AIC_BURN_BPS`; the splitter must have the same share. */
  burnBps: number
  /** The wallet that received the payments. With its key it signs; a Safe has none. */
  operator: PrivateKeyAccount | { address: Address }
  /** Wallets that split earlier income, which is not split again. */
  formerOperators: readonly Address[]
  /** The most blocks that the RPC searches for events at once. */
  blocksPerCall: number
  databaseUrl: string
  databaseHttpUrl?: string
}

/** The range of blocks that most public RPCs allow. */
const BLOCKS_PER_CALL = 10_000
const MAX_BLOCKS_PER_CALL = 999_999

/**
 * Reads the worker's variables and the operator's key; for a Safe, `RECEIVER_ADDRESS` instead of a key. Throws `ConfigError` with
 * every fault at once, without the values.
 */
export async function readSplitOptions(env: Record<string, unknown>, isSafe = false): Promise<SplitOptions> {
  const read = makeEnvReader(env)
  const environment = read.optional('ENVIRONMENT', check.environment) ?? 'production'
  const network = readNetworks(read, environment)?.[0]
  const databaseUrl = read.required('DATABASE_URL', check.databaseUrl)
  const databaseHttpUrl = read.optional('DATABASE_HTTP_URL', check.httpUrl)
  const { paymentTokenAddress: token, splitterAddress: splitter, burnBps } = readAic(read)
  const tokenName = read.text('AIC_TOKEN_ADDRESS') === undefined ? 'AIC_PAYMENT_TOKEN_ADDRESS' : 'AIC_TOKEN_ADDRESS'
  for (const name of [tokenName, 'AIC_SPLITTER_ADDRESS', 'AIC_BURN_BPS']) {
    if (read.text(name) === undefined) read.fault(name, 'is missing')
  }
  const formerOperators = read.optional('SPLIT_FORMER_OPERATORS', check.list(check.address)) ?? []
  const blocksPerCall = read.optional('SPLIT_BLOCKS_PER_CALL', check.integer(1, MAX_BLOCKS_PER_CALL)) ?? BLOCKS_PER_CALL
  const operator = isSafe ? readReceiver(read) : await readSigner(read)
  const isComplete = network && databaseUrl && token && splitter && burnBps !== undefined && operator
  if (read.faults.length > 0 || !isComplete) throw new ConfigError(read.faults)
  const http = databaseHttpUrl === undefined ? {} : { databaseHttpUrl }
  return { network, token, splitter, burnBps, operator, formerOperators, blocksPerCall, databaseUrl, ...http }
}

function readReceiver(read: EnvReader): { address: Address } | undefined {
  const address = read.required('RECEIVER_ADDRESS', check.payee)
  return address && { address }
}

async function readSigner(read: EnvReader): Promise<PrivateKeyAccount | undefined> {
  const key = await readKey(read)
  return key && privateKeyToAccount(key)
}

/** The operator's key: `SPLIT_PRIVATE_KEY`, or the keystore file `SPLIT_KEYSTORE` with `SPLIT_KEYSTORE_PASSWORD`. */
async function readKey(read: EnvReader): Promise<Hex | undefined> {
  const file = read.text('SPLIT_KEYSTORE')
  if (file === undefined) return read.required('SPLIT_PRIVATE_KEY', check.privateKey)
  if (read.text('SPLIT_PRIVATE_KEY') !== undefined)
    read.fault('SPLIT_PRIVATE_KEY', 'must not be set with SPLIT_KEYSTORE')
  try {
    return await decryptKeystore(await readFile(file, 'utf8'), read.text('SPLIT_KEYSTORE_PASSWORD') ?? '')
  } catch {
    read.fault(
      'SPLIT_KEYSTORE',
      'cannot be opened: it must name a version 3 keystore, SPLIT_KEYSTORE_PASSWORD its password',
    )
    return undefined
  }
}
