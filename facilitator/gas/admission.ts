import { type Client, erc20Abi } from 'viem'
import { getBlockNumber, getTransactionCount, multicall, readContract } from 'viem/actions'
import type { Log } from '../log.ts'
import type { InFlight, RevertHistory, Settlement, SettlementStore } from '../store/store.ts'
import { BUDGET_PERIOD_MS, decide, type GasBudget } from './gas-budget.ts'

export interface AdmissionOptions {
  client: Client
  network: string
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

export interface Applicant {
  settlement: Settlement
  hasCode: boolean
  /** Zero for the check of `/verify`, which sends nothing. */
  gas: bigint
}

export interface Admission {
  /**
   * For each of these that are sent together, in their order: whether it counts against the trial budget, or why it is not sent.
   * Balances are those of `block`.
   */
  admit(applicants: readonly Applicant[], block?: bigint): Promise<({ isTrial: boolean } | NotAdmitted)[]>
  /** Gas lost to reverts on this network in the last hour. */
  lostGas(): Promise<bigint>
}

const WARN_EVERY_MS = 60_000

/** Checks settlements against the gas budget and against what their payers have in flight. */
export function makeAdmission(options: AdmissionOptions): Admission {
  const { client, network, store, budget, now, log } = options
  let warnedAt = 0
  const since = () => new Date(now().getTime() - BUDGET_PERIOD_MS)

  function warn(reason: string, { networkLost, trialLost }: RevertHistory): void {
    if (!/^(trial_)?gas_budget_exhausted$/.test(reason) || now().getTime() - warnedAt < WARN_EVERY_MS) return
    warnedAt = now().getTime()
    log('warn', 'gas.budget_exhausted', { network, reason, lostGas: `${networkLost}`, trialGas: `${trialLost}` })
  }

  return {
    async admit(applicants, block) {
      const settlements = applicants.map(({ settlement }) => settlement)
      const [histories, stored] = await Promise.all([
        store.histories(network, settlements, since()),
        store.inFlight(network),
      ])
      const keys = new Set(settlements.map(({ key }) => key))
      const inFlight = stored.filter(({ key }) => !keys.has(key))
      const isCovered = await readCover(client, settlements, inFlight, block)
      return applicants.map(({ settlement, hasCode, gas }, index) => {
        const { payer, key, asset, value } = settlement
        const history = histories[index]
        if (history === undefined) return new NotAdmitted('unknown_payer')
        const decision = decide(budget, history, inFlight, { payer, hasCode, gas }, now())
        if ('refusal' in decision) {
          warn(decision.refusal, history)
          return new NotAdmitted(decision.refusal)
        }
        if (!isCovered(settlement)) return new NotAdmitted('invalid_exact_evm_insufficient_balance')
        inFlight.push({ key, asset, payer, value, gas, ...decision, signer: '', accountNonce: 0 })
        return decision
      })
    },
    async lostGas() {
      const [history] = await store.histories(network, [{ payer: '0x', key: '' }], since())
      return history?.networkLost ?? 0n
    },
  }
}

const fundsOf = ({ payer, asset }: Pick<Settlement, 'payer' | 'asset'>): string => `${payer} ${asset}`

/**
 * Reads the balances of payers that have other settlements in flight, at one block. Returns whether a balance covers one more
 * payment; each that it covers is subtracted. A payer without others is covered by the simulation of its payment.
 */
async function readCover(
  client: Client,
  settlements: readonly Settlement[],
  inFlight: readonly InFlight[],
  block?: bigint,
): Promise<(settlement: Settlement) => boolean> {
  const counts = new Map<string, number>()
  for (const each of [...inFlight, ...settlements]) counts.set(fundsOf(each), (counts.get(fundsOf(each)) ?? 0) + 1)
  const shared = new Map(
    settlements.filter((each) => (counts.get(fundsOf(each)) ?? 0) > 1).map((each) => [fundsOf(each), each]),
  )
  if (shared.size === 0) return () => true
  // All at one block: a settlement in it has reduced the balance already and must not be subtracted again.
  const blockNumber = block ?? (await getBlockNumber(client, { cacheTime: 0 }))
  const others = inFlight.filter((entry) => shared.has(fundsOf(entry)))
  const signers = [...new Set(others.map(({ signer }) => signer))]
  const [balances, ...mined] = await Promise.all([
    balancesOf(client, [...shared.values()], blockNumber),
    ...signers.map((signer) => getTransactionCount(client, { address: `0x${signer.slice(2)}`, blockNumber })),
  ])
  const left = new Map([...shared.keys()].map((funds, index) => [funds, balances[index] ?? 0n]))
  const minedOf = new Map(signers.map((signer, index) => [signer, mined[index] ?? 0]))
  for (const { signer, accountNonce, value, ...entry } of others) {
    const isUnmined = accountNonce >= (minedOf.get(signer) ?? 0)
    if (isUnmined) left.set(fundsOf(entry), (left.get(fundsOf(entry)) ?? 0n) - value)
  }
  return (settlement) => {
    const balance = left.get(fundsOf(settlement))
    if (balance === undefined) return true
    if (balance < settlement.value) return false
    left.set(fundsOf(settlement), balance - settlement.value)
    return true
  }
}

async function balancesOf(client: Client, settlements: readonly Settlement[], blockNumber: bigint): Promise<bigint[]> {
  const calls = settlements.map(
    ({ asset, payer }) => ({ address: asset, abi: erc20Abi, functionName: 'balanceOf', args: [payer] }) as const,
  )
  const [only] = calls
  if (only !== undefined && calls.length === 1) return [await readContract(client, { ...only, blockNumber })]
  return multicall(client, { contracts: calls, allowFailure: false, blockNumber })
}
