import type { Client, Hex } from 'viem'
import { erc20Abi } from 'viem'
import { getBlockNumber, getTransactionCount, readContract } from 'viem/actions'
import { BUDGET_PERIOD_MS, decide, type GasBudget } from './gas-budget.ts'
import type { Log } from './log.ts'
import type { SentTransaction, Settlement, SettlementStore, Standing } from './store.ts'

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
/** Longer than a payment waits between its simulation and its turn to be sent. */
const RECENT_MS = 120_000

/** Checks a settlement against the gas budget and against what its payer has in flight. */
export function makeAdmission(options: AdmissionOptions): Admission {
  const { network, signer, store, budget, now, log } = options
  const balances = makeBalanceCheck(options)
  let warnedAt = 0
  const since = () => new Date(now().getTime() - BUDGET_PERIOD_MS)

  function warn(reason: string, { keyLost, trialLost }: Standing): void {
    if (!/^(trial_)?gas_budget_exhausted$/.test(reason) || now().getTime() - warnedAt < WARN_EVERY_MS) return
    warnedAt = now().getTime()
    log('warn', 'gas.budget_exhausted', { network, signer, reason, lostGas: `${keyLost}`, trialGas: `${trialLost}` })
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
      await balances.check(settlement, inFlight)
      // Zero gas is the check of `/verify`, which sends nothing.
      if (gas > 0n) balances.note(settlement)
      return decision
    },
    async lostGas() {
      const { keyLost } = await store.standing({ network, signer, payer: '0x', key: '', since: since() })
      return keyLost
    },
  }
}

/** Checks that a payer's balance covers what it has in flight and one payment more. */
function makeBalanceCheck({ client, signer, now }: AdmissionOptions) {
  /** When a settlement of this payer and asset was last admitted, in ms; the oldest first. */
  const admittedAt = new Map<string, number>()
  const keyOf = ({ asset, payer }: Settlement) => `${payer} ${asset}`

  return {
    /** Remembers that this settlement is about to be sent. */
    note(settlement: Settlement): void {
      const at = now().getTime()
      for (const [key, time] of admittedAt) {
        if (at - time < RECENT_MS) break
        admittedAt.delete(key)
      }
      admittedAt.delete(keyOf(settlement))
      admittedAt.set(keyOf(settlement), at)
    },
    /**
     * Throws when the payer's balance, less what it has in flight, is below this payment. It also reads the balance when another
     * settlement of the payer was mined a moment ago: this payment may have been simulated before that.
     */
    async check(settlement: Settlement, inFlight: readonly SentTransaction[]): Promise<void> {
      const { asset, payer, value } = settlement
      const others = inFlight.filter((entry) => entry.payer === payer && entry.asset === asset)
      const isRecent = now().getTime() - (admittedAt.get(keyOf(settlement)) ?? 0) < RECENT_MS
      if (others.length === 0 && !isRecent) return
      // Both at one block: a settlement in it has reduced the balance already and must not be subtracted again.
      const blockNumber = await getBlockNumber(client, { cacheTime: 0 })
      const [balance, mined] = await Promise.all([
        readContract(client, { address: asset, abi: erc20Abi, functionName: 'balanceOf', args: [payer], blockNumber }),
        getTransactionCount(client, { address: signer, blockNumber }),
      ])
      const reserved = others
        .filter((entry) => entry.signer !== signer || entry.accountNonce >= mined)
        .reduce((sum, entry) => sum + entry.value, 0n)
      if (balance < reserved + value) throw new NotAdmitted('invalid_exact_evm_insufficient_balance')
    },
  }
}
