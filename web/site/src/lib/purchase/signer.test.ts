import { isHex } from 'viem'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Provider } from '../../../../shared/wallet/provider.ts'
import { RefusalError } from './refusal.ts'
import { signerOf } from './signer.ts'

const OWN = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const CHAIN = 8453
const SIGNATURE = `0x${'1b'.repeat(65)}`

type Answers = Record<string, (call: number) => unknown>

/** A wallet on the right chain with the right account that signs. A case overrides its answers. */
function walletWith(answers: Answers) {
  const calls = new Map<string, number>()
  const honest: Answers = {
    eth_chainId: () => `0x${CHAIN.toString(16)}`,
    eth_accounts: () => [OWN],
    eth_signTypedData_v4: () => SIGNATURE,
    wallet_switchEthereumChain: () => null,
    wallet_addEthereumChain: () => null,
  }
  const request = vi.fn<Provider['request']>(async ({ method }) => {
    const call = calls.get(method) ?? 0
    calls.set(method, call + 1)
    return { ...honest, ...answers }[method]?.(call)
  })
  return { request, count: (method: string): number => calls.get(method) ?? 0 }
}

const fail = (error: unknown) => (): never => {
  throw error
}
const never = (): Promise<never> => new Promise(() => undefined)
/** Another chain until the given call. */
const chainFrom = (call: number) => (now: number) => (now >= call ? `0x${CHAIN.toString(16)}` : '0xa')
const accountsFrom = (call: number, accounts: string[]) => (now: number) => (now >= call ? accounts : [OWN])
const UNKNOWN = { code: 4902, message: 'Unrecognized chain ID' }
const NESTED = { code: -32603, message: 'Internal error', data: { originalError: { code: 4902 } } }

if (!isHex(OWN)) throw new Error('not an address')
const PAYMENT = {
  domain: { name: 'USD Coin', version: '2', chainId: CHAIN, verifyingContract: OWN },
  types: {},
  primaryType: 'TransferWithAuthorization',
  message: {},
}

/** How a signature ended: the signature, a notice with the wallet's words, or still waiting. Time passes only once nothing else happens. */
async function signWith(wallet: ReturnType<typeof walletWith>) {
  vi.useFakeTimers()
  const account = signerOf(wallet, OWN, () => undefined)
  const signing = Reflect.apply(account.signTypedData, account, [PAYMENT]).catch((error: unknown) => {
    if (error instanceof RefusalError)
      return error.walletMessage === '' ? error.why : `${error.why}: ${error.walletMessage}`
    throw error
  })
  const waiting = new Promise((resolve) => setTimeout(() => resolve('waiting'), 20))
  const end = Promise.race([signing, waiting])
  await vi.advanceTimersByTimeAsync(20)
  return end
}

const CASES: [name: string, answers: Answers, end: string][] = [
  ['signs', {}, SIGNATURE],
  ['has its address in lower case', { eth_accounts: () => [OWN.toLowerCase()] }, SIGNATURE],
  [
    'signs late',
    { eth_signTypedData_v4: () => new Promise((done) => setTimeout(() => done(SIGNATURE), 5)) },
    SIGNATURE,
  ],
  ['switches the chain', { eth_chainId: chainFrom(1) }, SIGNATURE],
  ['has a numeric chain id', { eth_chainId: () => CHAIN }, SIGNATURE],
  ['adds a chain (4902)', { eth_chainId: chainFrom(2), wallet_switchEthereumChain: fail(UNKNOWN) }, SIGNATURE],
  ['adds a chain (nested)', { eth_chainId: chainFrom(2), wallet_switchEthereumChain: fail(NESTED) }, SIGNATURE],
  ['switches, and reports an error', { eth_chainId: chainFrom(1), wallet_switchEthereumChain: fail('?') }, SIGNATURE],

  ['hangs at the signature', { eth_signTypedData_v4: never }, 'waiting'],
  ['hangs at the chain', { eth_chainId: never }, 'waiting'],
  ['hangs at the switch', { eth_chainId: () => '0xa', wallet_switchEthereumChain: never }, 'waiting'],
  ['hangs at the accounts', { eth_accounts: never }, 'waiting'],

  ['is locked before', { eth_accounts: () => [] }, 'wallet_locked'],
  ['is locked after', { eth_accounts: accountsFrom(1, []) }, 'wallet_locked'],
  ['fails to list accounts', { eth_accounts: fail({ code: 4100, message: 'no' }) }, 'wallet_locked'],
  ['lists rubbish', { eth_accounts: () => 'rubbish' }, 'wallet_locked'],

  ['lies about the switch', { eth_chainId: () => '0xa' }, 'wrong_chain'],
  ['returns no chain id', { eth_chainId: () => null }, 'wrong_chain'],
  ['lies about adding', { eth_chainId: () => '0xa', wallet_switchEthereumChain: fail(UNKNOWN) }, 'wrong_chain'],
  ['signs rubbish', { eth_signTypedData_v4: () => 'yes' }, 'wallet_failed: the wallet returned no signature'],
  ['signs nothing', { eth_signTypedData_v4: () => null }, 'wallet_failed: the wallet returned no signature'],

  [
    'rejects (4001)',
    { eth_signTypedData_v4: fail({ code: 4001, message: 'User rejected' }) },
    'cancelled: User rejected',
  ],
  ['rejects (a text)', { eth_signTypedData_v4: fail('User cancelled') }, 'cancelled: User cancelled'],
  ['rejects the switch', { eth_chainId: () => '0xa', wallet_switchEthereumChain: fail({ code: 4001 }) }, 'cancelled'],
  [
    'rejects adding',
    {
      eth_chainId: () => '0xa',
      wallet_switchEthereumChain: fail(UNKNOWN),
      wallet_addEthereumChain: fail({ code: 4001 }),
    },
    'cancelled',
  ],
  [
    'has a request open',
    { eth_chainId: () => '0xa', wallet_switchEthereumChain: fail({ code: -32002 }) },
    'wallet_pending',
  ],
  [
    'fails at the signature',
    { eth_signTypedData_v4: fail({ code: -32603, message: 'Ledger: busy' }) },
    'wallet_failed: Ledger: busy',
  ],
  ['fails at the chain', { eth_chainId: fail(new Error('no provider')) }, 'wallet_failed: no provider'],

  ['has another account before', { eth_accounts: () => [OTHER] }, 'account_changed'],
  ['has another account after', { eth_accounts: accountsFrom(1, [OTHER]) }, 'account_changed'],
]

afterEach(() => vi.useRealTimers())

describe('signerOf', () => {
  it('behavior: says what the wallet is asked for: a switch only where it is needed', async () => {
    const stepsOf = async (answers: Answers): Promise<string[]> => {
      const steps: string[] = []
      const account = signerOf(walletWith(answers), OWN, (step) => steps.push(step))
      await Reflect.apply(account.signTypedData, account, [PAYMENT])
      return steps
    }
    expect(await stepsOf({})).toEqual(['signature'])
    expect(await stepsOf({ eth_chainId: chainFrom(1) })).toEqual(['chain', 'signature'])
  })

  it.each(CASES)('behavior: a wallet that %s', async (_, answers, end) => {
    expect(await signWith(walletWith(answers))).toBe(end)
  })

  it.each(CASES.filter(([, , end]) => end === 'wrong_chain'))(
    'behavior: nothing is signed when a wallet %s',
    async (_, answers) => {
      const wallet = walletWith(answers)
      await signWith(wallet)
      expect(wallet.count('eth_signTypedData_v4')).toBe(0)
    },
  )
})
