import { setTimeout as sleep } from 'node:timers/promises'
import type { PrivateKeyAccount } from 'viem/accounts'
import { UsageError } from '../node/errors.ts'
import { fileBudget } from '../node/file-budget.ts'
import { fileStore } from '../node/file-store.ts'
import { findLocalStack, type LocalStack } from '../node/local-stack.ts'
import { openState, type State, stateFile } from '../node/state.ts'
import { type Coinslot, createCoinslot } from '../src/coinslot.ts'
import { given, integerFlag, originFlag, unlessEmpty, usdcFlag } from './flags.ts'
import type { Screen } from './terminal.ts'
import { hasKey, type KeySource, openAccount } from './wallet.ts'

const DEV_CHAIN_ID = 31_337

export interface ContextFlags {
  origin?: string | undefined
  'chain-id'?: string | undefined
  keystore?: string | undefined
  'password-file'?: string | undefined
  via?: string | undefined
  'max-usdc'?: string | undefined
  budget?: string | undefined
}

export interface ClientOptions {
  /** Pays in a token that budgets do not count. */
  uncounted?: boolean
  /** Retries as long as a payment needs. Default: two seconds, enough for a list. */
  persistent?: boolean
  /** Gets each wait before a retry, in milliseconds. Default: the context's `onWait`. */
  onWait?: (ms: number) => void
}

/** The service, the key and the state that a command uses. */
export interface CommandContext {
  origin: string
  local: LocalStack | null
  /** The only chain to pay on; undefined where none was given. */
  chainId: number | undefined
  state: State
  /** True if a key was given. */
  hasKey: boolean
  /** Opens the key. */
  account(): Promise<PrivateKeyAccount>
  /** The limit of `--budget` in USDC; null without one. */
  budgetUsdc: string | null
  /** Shows that a call waits. */
  onWait(ms: number): void
  /** A client. Without an account only public calls work. The budget counts its payments in USDC. */
  coinslot(account?: PrivateKeyAccount, options?: ClientOptions): Coinslot
}

/** About two seconds, then the service counts as unreachable. */
const FEW_TRIES = 4
/** Shorter waits are not shown. */
const SHOWN_WAIT_MS = 2_000

/** Finds the service and the key in flags, variables and the local stack, in this order. Throws `UsageError`. */
export async function openContext(
  flags: ContextFlags,
  screen: Pick<Screen, 'line'>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<CommandContext> {
  const all = { ...flags }
  const { origin, local } = await placeOf(given(all, 'origin', env, unlessEmpty(originFlag)), env)
  const chainId = given(all, 'chain-id', env, unlessEmpty(integerFlag)) ?? local?.chainId
  const via = given(all, 'via', env, unlessEmpty(originFlag))
  const maxUsdc = given(all, 'max-usdc', env, usdcFlag)
  const limit = given(all, 'budget', env, usdcFlag) ?? null
  const state = ownState(env)
  const source: KeySource = {
    keystore: flags.keystore,
    passwordFile: flags['password-file'],
    env,
    devKey: local?.chainId === DEV_CHAIN_ID ? local.buyers[0]?.privateKey : undefined,
  }
  const showWait = (ms: number): void => {
    if (ms >= SHOWN_WAIT_MS)
      screen.line(`  the service is busy or not reachable; next try in ${Math.round(ms / 1_000)} s`)
  }
  return {
    origin,
    local,
    chainId,
    state,
    hasKey: hasKey(source),
    account: () => openAccount(source),
    budgetUsdc: limit,
    onWait: showWait,
    coinslot: (account, { uncounted = false, persistent = false, onWait = showWait } = {}) =>
      createCoinslot({
        origin,
        ...(account !== undefined && {
          account,
          store: fileStore(state),
          recoverOfferSigner: async (offer) => (await import('../node/x402-offer.ts')).recoverOfferSigner(offer),
          ...(!uncounted && { budget: fileBudget(state, limit) }),
        }),
        ...(!persistent && { tries: FEW_TRIES }),
        sleep: async (ms, signal) => {
          onWait(ms)
          await sleep(ms, undefined, { signal })
        },
        ...(chainId !== undefined && { chainId }),
        ...(maxUsdc !== undefined && { maxUsdc }),
        ...(via !== undefined && { fetch: fetchVia(via) }),
      }),
  }
}

/** The service with the given origin, else the local stack. */
async function placeOf(named: string | undefined, env: NodeJS.ProcessEnv) {
  const stack = await findLocalStack(env)
  const local = named === undefined || stack?.origin === named ? stack : null
  const origin = named ?? local?.origin
  if (origin !== undefined) return { origin, local }
  throw new UsageError('Which service? Give --origin URL, set COINSLOT_ORIGIN, or start a local one with `npm start`.')
}

function ownState(env: NodeJS.ProcessEnv): State {
  const file = stateFile(env)
  try {
    return openState(file)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`${file} cannot be opened (${why}): name a folder of yours in XDG_STATE_HOME.`, { cause })
  }
}

/** Sends every call to another address, e.g. a proxy in front of the service. */
const fetchVia =
  (via: string) =>
  (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url)
    return fetch(new URL(pathname + search, via), init)
  }
