import type { Hex } from 'viem'
import { makeMemoryStore } from '../../../facilitator/store/memory-store.ts'
import { makeEngine } from '../engine.ts'
import { Violation } from '../invariants.ts'
import { act, at, type Stage } from './actions.ts'
import { makeCallers } from './callers.ts'
import {
  checkAnswer,
  checkCharged,
  checkDelegations,
  checkEnd,
  checkKnown,
  checkRefused,
  checkSentOnce,
  type Facts,
  hasAnswer,
} from './checks.ts'
import type { Mutant } from './mutants.ts'
import { NETWORK, type Payment, paymentOf, VALUE } from './payments.ts'
import { type FaultKind, KEYS, type Process, startProcess, type World } from './process.ts'
import { makeTurns } from './process-store.ts'
import { type Action, PAYMENTS, type Step } from './schedule.ts'
import { BLOCK_MS, GWEI, makeTokenChain } from './token-chain.ts'

export interface Played {
  violation: string | null
  trace: string[]
  hits: Map<string, number>
}

/** Each payer can pay two of its three payments. */
const FUNDS = 2n * VALUE
const MAX_ROUNDS = 40

/** Plays a schedule, lets everything work again, has every caller come back, and checks what is left. */
export async function play(steps: readonly Step[], mutant: Mutant): Promise<Played> {
  const simulation = makeSimulation(mutant)
  const { engine } = simulation
  try {
    for (const { action, serviceCalls, pick } of steps) {
      engine.note(`— ${JSON.stringify(action)}`)
      await simulation.act(action)
      for (let calls = 0; calls < serviceCalls && (await engine.releaseOne(pick)); calls += 1);
    }
    await simulation.finish()
    return { violation: null, trace: engine.trace, hits: engine.hits }
  } catch (error) {
    const violation = error instanceof Violation ? error.message : `the simulation itself failed: ${String(error)}`
    return { violation, trace: engine.trace, hits: engine.hits }
  }
}

const makeWorld = (engine: World['engine'], chain: World['chain'], mutant: Mutant): World => ({
  engine,
  chain,
  store: makeMemoryStore(),
  turns: makeTurns(),
  holders: new Map(),
  alive: new Set(),
  mutant,
  isDirect: false,
})

function makeSimulation(mutant: Mutant) {
  const engine = makeEngine<string, FaultKind>(new Date('2026-01-01T00:00:00Z'), replace)
  const chain = makeTokenChain(FUNDS, mutant.asksNobody)
  const world = makeWorld(engine, chain, mutant)
  const { holders } = world
  const payments = Array.from({ length: PAYMENTS }, (_, number) => paymentOf(number))
  const foreign = new Set<Payment>()
  const delegators = new Set<Hex>()
  let violation: string | null = null
  let owners = 0
  const start = (): Process => startProcess(world, ++owners)
  const processes = [start(), start()]
  const fail = (payment: Payment, what: string): void => {
    violation ??= `payment ${payments.indexOf(payment)} ${what}`
  }
  const callers = makeCallers(world, payments, (payment, answer) => {
    checkAnswer({ chain, fail }, payment, answer)
    checkKnown(facts, payment, answer)
  })
  const facts: Facts = { chain, callers, foreign, delegators, fail }
  const stage: Stage = {
    world,
    callers,
    payments,
    foreign,
    delegators,
    replace,
    processOf: (index) => at(processes, index),
  }

  const blocks = async (): Promise<void> => {
    await engine.wait(BLOCK_MS)
    chain.mine()
    void blocks()
  }
  void blocks()

  function replace(owner: number): void {
    world.alive.delete(owner)
    world.turns.died(owner)
    for (const [key, holder] of holders) if (holder === owner) holders.delete(key)
    const index = processes.findIndex((process) => process.owner === owner)
    if (index >= 0) processes[index] = start()
  }

  function checkNow(): void {
    checkSentOnce(facts, payments)
    checkDelegations(facts, payments)
    if (violation !== null) throw new Violation(violation)
  }

  return {
    engine,
    finish: () => finish(stage, facts, checkNow),
    async act(action: Action): Promise<void> {
      await act(stage, action)
      checkNow()
    },
  }
}

async function finish(stage: Stage, facts: Facts, checkNow: () => void): Promise<void> {
  const { world, callers, processOf } = stage
  const { engine, chain } = world
  engine.note('— everything works again —')
  chain.stall(false)
  chain.setBaseFee(GWEI)
  for (const key of KEYS) chain.setGasFunds(key, 10n ** 18n)
  await engine.advance(120_000)
  engine.disarm()
  await engine.advance(120_000)
  checkNow()
  checkRefused(facts)
  engine.note('— every caller comes back —')
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const left = callers.brought().filter((payment) => round === 0 || !hasAnswer(facts, payment))
    if (left.length === 0) break
    for (const payment of left) callers.bring(payment, processOf(round), true)
    await engine.advance(31_000)
    checkNow()
  }
  await engine.advance(60_000)
  for (const payment of callers.brought()) checkEnd(facts, payment)
  if (!world.isDirect) await checkCharged(facts, world.store, stage.payments)
  checkNow()
  if ((await world.store.open(NETWORK)).length > 0) throw new Violation('a transaction never came to rest')
  if (chain.mempoolSize() > 0) throw new Violation('a transaction is left in the mempool')
}
