import { type Chain, ChainUnavailable } from '../../../worker/upstreams/chain/chain.ts'

type ChainScript = Pick<Chain, 'authorizationStatus' | 'authorizationOutcome' | 'transferIn'>

/**
 * A chain of maps; keys of accounts and tokens are lower case. `down` makes every read throw.
 * Answers that depend on a transfer are functions that a test replaces in `script`.
 */
export function makeFakeChain(clock: { now(): Date }) {
  const state = {
    down: false,
    calls: [] as string[],
    code: new Set<string>(),
    /** `chainId:account` of contract wallets. */
    contracts: new Set<string>(),
    /** Signatures that smart accounts take, any message. */
    validSignatures: new Set<string>(),
    unpayableTokens: new Set<string>(),
    tokenNames: new Map<string, string>(),
    /** `token:account` -> atomic units. */
    balances: new Map<string, bigint>(),
    /** Transactions that reverted. */
    reverted: new Set<string>(),
    stakes: new Map<string, bigint>(),
    burned: new Map<string, bigint>(),
    script: {
      authorizationStatus: async () => ({ spent: false, blockTime: clock.now() }),
      authorizationOutcome: async () => ({ kind: 'not_found' }),
      transferIn: async (_query, transaction) => ({
        transaction,
        logIndex: 0,
        confirmations: 1,
      }),
    } as ChainScript,
  }
  const read = <T>(name: string, value: () => T): Promise<T> => {
    state.calls.push(name)
    return state.down ? Promise.reject(new ChainUnavailable('the test chain is down')) : Promise.resolve(value())
  }
  const chain: Chain = {
    hasCode: (_chainId, account) => read('hasCode', () => state.code.has(account.toLowerCase())),
    isContract: (chainId, account) =>
      read('isContract', () => state.contracts.has(`${chainId}:${account.toLowerCase()}`)),
    authorizationStatus: async (query) =>
      (await read('authorizationStatus', () => state.script.authorizationStatus))(query),
    authorizationOutcome: async (query, since, until) =>
      (await read('authorizationOutcome', () => state.script.authorizationOutcome))(query, since, until),
    transferIn: async (query, transaction) =>
      (await read('transferIn', () => state.script.transferIn))(query, transaction),
    isReverted: (_chainId, transaction) => read('isReverted', () => state.reverted.has(transaction)),
    verifyMessage: (_chainId, _account, _message, signature) =>
      read('verifyMessage', () => state.validSignatures.has(signature)),
    verifyTypedData: (_chainId, _account, _data, signature) =>
      read('verifyTypedData', () => state.validSignatures.has(signature)),
    isPayableToken: (_chainId, token) => read('isPayableToken', () => !state.unpayableTokens.has(token.toLowerCase())),
    tokenName: (_chainId, token) => read('tokenName', () => state.tokenNames.get(token.toLowerCase()) ?? 'Token'),
    balanceOf: (_chainId, token, account) =>
      read('balanceOf', () => state.balances.get(`${token}:${account}`.toLowerCase()) ?? 0n),
    stakedBalance: (_chainId, _staking, account) =>
      read('stakedBalance', () => state.stakes.get(account.toLowerCase()) ?? 0n),
    totalBurned: (_chainId, token) => read('totalBurned', () => state.burned.get(token.toLowerCase()) ?? 0n),
  }
  return Object.assign(chain, { state })
}
