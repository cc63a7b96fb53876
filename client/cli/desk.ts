import type { PrivateKeyAccount } from 'viem/accounts'
import { fileBudget } from '../node/file-budget.ts'
import { fileStore } from '../node/file-store.ts'
import { findLocalStack, type LocalStack } from '../node/local-stack.ts'
import { keptCookies } from '../node/sessions.ts'
import { openState, type State, stateFile } from '../node/state.ts'
import { type Coinslot, createCoinslot } from '../src/coinslot.ts'
import { UsageError } from './exit.ts'
import { integerFlag, urlFlag, usdcFlag } from './flags.ts'
import { hasKey, type KeySource, openAccount } from './wallet.ts'

const DEV_CHAIN_ID = 31_337

export interface DeskFlags {
  origin?: string | undefined
  'chain-id'?: string | undefined
  keystore?: string | undefined
  'password-file'?: string | undefined
  via?: string | undefined
  'max-usdc'?: string | undefined
  budget?: string | undefined
}

/** Where a command buys, and with what. */
export interface Desk {
  origin: string
  local: LocalStack | null
  state: State
  /** Whether a key was given. */
  hasKey: boolean
  /** Opens the key. */
  account(): Promise<PrivateKeyAccount>
  /** The limit of `--budget` in USDC; null without one. */
  budgetUsdc: string | null
  /**
   * Without an account only what is open to all works. Payments in USDC are counted against the budget; `uncounted` is for other
   * tokens, which no budget holds.
   */
  coinslot(account?: PrivateKeyAccount, options?: { uncounted?: boolean; tries?: number }): Coinslot
}

/** Finds the service and the key from flags, variables and the local stack, in this order. Throws `UsageError`. */
export async function openDesk(flags: DeskFlags, env: NodeJS.ProcessEnv = process.env): Promise<Desk> {
  const named = flags.origin ?? env['COINSLOT_ORIGIN']
  const local = named === undefined ? await findLocalStack(env) : null
  const origin = named === undefined ? local?.origin : urlFlag('--origin', named)
  if (origin === undefined) {
    throw new UsageError(
      'Which service? Give --origin URL, set COINSLOT_ORIGIN, or start a local one with `npm start`.',
    )
  }
  const chain = flags['chain-id'] ?? env['COINSLOT_CHAIN_ID']
  const chainId = chain === undefined ? local?.chainId : integerFlag('--chain-id', chain)
  const via = flags.via ?? env['COINSLOT_VIA']
  const viaOrigin = via === undefined ? undefined : urlFlag('--via', via)
  const max = flags['max-usdc'] ?? env['COINSLOT_MAX_USDC']
  const maxUsdc = max === undefined ? undefined : usdcFlag('--max-usdc', max)
  const budget = flags.budget ?? env['COINSLOT_BUDGET']
  const limit = budget === undefined ? null : usdcFlag('--budget', budget)
  const state = openState(stateFile(env))
  const source: KeySource = {
    keystore: flags.keystore,
    passwordFile: flags['password-file'],
    env,
    devKey: local?.chainId === DEV_CHAIN_ID ? local.buyers[0]?.privateKey : undefined,
  }
  return {
    origin,
    local,
    state,
    hasKey: hasKey(source),
    account: () => openAccount(source),
    budgetUsdc: limit,
    coinslot: (account, { uncounted = false, tries } = {}) =>
      createCoinslot({
        origin,
        ...(account !== undefined && {
          account,
          cookies: keptCookies(state, origin, account.address.toLowerCase()),
          store: fileStore(state),
          ...(!uncounted && { budget: fileBudget(state, limit) }),
        }),
        ...(tries !== undefined && { tries }),
        ...(chainId !== undefined && { chainId }),
        ...(maxUsdc !== undefined && { maxUsdc }),
        ...(viaOrigin !== undefined && { fetch: fetchVia(viaOrigin) }),
      }),
  }
}

/** Sends every call to another place, which stands between us and the service. */
const fetchVia =
  (via: string) =>
  (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url)
    return fetch(new URL(pathname + search, via), init)
  }
