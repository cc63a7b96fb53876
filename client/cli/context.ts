import { setTimeout as sleep } from 'node:timers/promises'
import type { PrivateKeyAccount } from 'viem/accounts'
import { fileBudget } from '../node/file-budget.ts'
import { fileStore } from '../node/file-store.ts'
import { findLocalStack, type LocalStack } from '../node/local-stack.ts'
import { keptCookies, openState, type State, stateFile } from '../node/state.ts'
import { type Coinslot, createCoinslot } from '../src/coinslot.ts'
import { given, integerFlag, originFlag, UsageError, unlessEmpty, usdcFlag } from './flags.ts'
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

/** How a client of a context behaves. */
export interface ClientOptions {
  /** Pays in a token that no budget holds. */
  uncounted?: boolean
  /** Goes on for as long as a payment is worth, rather than for the seconds that a person likes to wait for a list. */
  patient?: boolean
  /** Told how long it waits before a call is made again, in milliseconds; default: the context's. */
  onWait?: (ms: number) => void
}

/** Where a command buys, and with what. */
export interface CommandContext {
  origin: string
  local: LocalStack | null
  state: State
  /** Whether a key was given. */
  hasKey: boolean
  /** Opens the key. */
  account(): Promise<PrivateKeyAccount>
  /** The limit of `--budget` in USDC; null without one. */
  budgetUsdc: string | null
  /** Says on the screen that a call waits. */
  onWait(ms: number): void
  /** Without an account only what is open to all works. Payments in USDC are counted against the budget. */
  coinslot(account?: PrivateKeyAccount, options?: ClientOptions): Coinslot
}

/** A service that is away is told as such after two seconds. */
const HASTY_TRIES = 4
const WAIT_WORTH_TELLING_MS = 2_000

/** Finds the service and the key from flags, variables and the local stack, in this order. Throws `UsageError`. */
export async function openContext(
  flags: ContextFlags,
  screen: Pick<Screen, 'line'>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<CommandContext> {
  const asked = { ...flags }
  const { origin, local } = await placeOf(given(asked, 'origin', env, unlessEmpty(originFlag)), env)
  const chainId = given(asked, 'chain-id', env, unlessEmpty(integerFlag)) ?? local?.chainId
  const via = given(asked, 'via', env, unlessEmpty(originFlag))
  const maxUsdc = given(asked, 'max-usdc', env, usdcFlag)
  const limit = given(asked, 'budget', env, usdcFlag) ?? null
  const state = ownState(env)
  const source: KeySource = {
    keystore: flags.keystore,
    passwordFile: flags['password-file'],
    env,
    devKey: local?.chainId === DEV_CHAIN_ID ? local.buyers[0]?.privateKey : undefined,
  }
  const tellWait = (ms: number): void => {
    if (ms >= WAIT_WORTH_TELLING_MS)
      screen.line(`  the service is busy or away; asked again in ${Math.round(ms / 1_000)} s`)
  }
  return {
    origin,
    local,
    state,
    hasKey: hasKey(source),
    account: () => openAccount(source),
    budgetUsdc: limit,
    onWait: tellWait,
    coinslot: (account, { uncounted = false, patient = false, onWait = tellWait } = {}) =>
      createCoinslot({
        origin,
        ...(account !== undefined && {
          account,
          cookies: keptCookies(state, origin, account.address.toLowerCase()),
          store: fileStore(state),
          ...(!uncounted && { budget: fileBudget(state, limit) }),
        }),
        ...(!patient && { tries: HASTY_TRIES }),
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

/** The named service, which may be the local stack, else the local stack. */
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

/** Sends every call to another place, which stands between us and the service. */
const fetchVia =
  (via: string) =>
  (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url)
    return fetch(new URL(pathname + search, via), init)
  }
