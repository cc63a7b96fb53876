import type { Client, Hex } from 'viem'
import { erc20Abi } from 'viem'
import { getBlockNumber, getTransactionCount, readContract } from 'viem/actions'
import { BUDGET_PERIOD_MS, decide, type GasBudget } from './gas-budget.ts'
import type { Log } from './log.ts'
import type { SentTransaction, Settlement, SettlementStore } from './store.ts'

export interface AdmissionOptions {
  client: Client
  network: string
  signer: Hex
  store: SettlementStore
  budget: GasBudget
  now(): Date
  log: Log
}

/** A payment is refused before any gas is spent. `reason` is an x402 reason. */
export class NotAdmitted extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(`not sent: ${reason}`)
    this.name = 'NotAdmitted'
    this.reason = reason
  }
}

export interface Admission {
  /** Returns whether the settlement counts against the trial budget. Throws `NotAdmitted`. */
  admit(settlement: Settlement, terms: { hasCode: boolean; gas: bigint }): Promise<{ isTrial: boolean }>
  /** Gas lost to reverts of this key in the last hour. */
  lostGas(): Promise<bigint>
}

const WARN_EVERY_MS = 60_000

/** Checks a settlement against the gas budget and against what its payer has in flight. */
export function makeAdmission({ client, network, signer, store, budget, now, log }: AdmissionOptions): Admission {
  let warnedAt = 0
  const since = () => new Date(now().getTime() - BUDGET_PERIOD_MS)

  function warn(reason: string, standing: { keyLost: bigint; trialLost: bigint }): void {
    if (!/^(trial_)?gas_budget_exhausted$/.test(reason) || now().getTime() - warnedAt < WARN_EVERY_MS) return
    warnedAt = now().getTime()
    const { keyLost, trialLost } = standing
    log('warn', 'gas.budget_exhausted', { network, signer, reason, lostGas: `${keyLost}`, trialGas: `${trialLost}` })
  }

  /** Throws when what is in flight leaves less than this payment of the payer's balance. */
  async function checkBalance({ asset, payer, value }: Settlement, inFlight: readonly SentTransaction[]) {
    const others = inFlight.filter((entry) => entry.payer === payer && entry.asset === asset)
    if (others.length === 0) return
    // Both at one block: an entry that it holds has left the balance, and must not be subtracted again.
    const blockNumber = await getBlockNumber(client, { cacheTime: 0 })
    const [balance, mined] = await Promise.all([
      readContract(client, { address: asset, abi: erc20Abi, functionName: 'balanceOf', args: [payer], blockNumber }),
      getTransactionCount(client, { address: signer, blockNumber }),
    ])
    const reserved = others
      .filter((entry) => entry.signer !== signer || entry.accountNonce >= mined)
      .reduce((sum, entry) => sum + entry.value, 0n)
    if (balance < reserved + value) throw new NotAdmitted('invalid_exact_evm_insufficient_balance')
  }

  return {
    async admit(settlement, { hasCode, gas }) {
      const { key, payer } = settlement
      const [standing, open] = await Promise.all([
        store.standing({ network, signer, payer, key, since: since() }),
        store.open(network),
      ])
      const inFlight = open.filter((entry) => entry.endedAt === null && entry.key !== key)
      const decision = decide(budget, standing, inFlight, { payer, hasCode, gas }, now())
      if ('refusal' in decision) {
        warn(decision.refusal, standing)
        throw new NotAdmitted(decision.refusal)
      }
      await checkBalance(settlement, inFlight)
      return decision
    },
    async lostGas() {
      const { keyLost } = await store.standing({ network, signer, payer: '0x', key: '', since: since() })
      return keyLost
    },
  }
}
