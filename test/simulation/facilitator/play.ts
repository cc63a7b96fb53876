import type { Hex } from 'viem'
import { makeMemoryStore } from '../../../facilitator/memory-store.ts'
import type { SettleAnswer } from '../../../facilitator/settle-answers.ts'
import { makeEngine } from '../engine.ts'
import { Violation } from '../invariants.ts'
import type { Mutant } from './mutants.ts'
import { NETWORK, type Payment, paymentOf, VALUE } from './payments.ts'
import { type FaultKind, KEYS, makeTurns, type Process, startProcess, type World } from './process.ts'
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
const UNCLEAR = /pending|duplicate|nonce_already_used/

interface Told {
  /** The number of the last call whose answer this is. */
  call: number
  answer: SettleAnswer
  /** No other call of that payment was running: a refusal proves something only then. */
  isOnly: boolean
}

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

function makeSimulation(mutant: Mutant) {
  const engine = makeEngine<string, FaultKind>(new Date('2026-01-01T00:00:00Z'), replace)
  const chain = makeTokenChain(FUNDS)
  const holders = new Map<Hex, number>()
  const world: World = {
    engine,
    chain,
    store: makeMemoryStore(),
    turns: makeTurns(),
    holders,
    alive: new Set(),
    mutant,
  }
  const payments = Array.from({ length: PAYMENTS }, (_, number) => paymentOf(number))
  const told = new Map<Payment, Told[]>()
  /** Calls of each payment so far. */
  const calls = new Map<Payment, number>()
  const running = new Set<{ payment: Payment; owner: number }>()
  const foreign = new Set<Payment>()
  let violation: string | null = null
  let owners = 0
  const start = (): Process => startProcess(world, ++owners)
  const processes = [start(), start()]

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

  async function bring(payment: Payment, process: Process, isHeard: boolean): Promise<void> {
    const call = (calls.get(payment) ?? 0) + 1
    calls.set(payment, call)
    const own = { payment, owner: process.owner }
    running.add(own)
    const { answer, release } = await process.settle(payment).finally(() => running.delete(own))
    if (isHeard) {
      engine.note(`payment ${payments.indexOf(payment)} hears ${JSON.stringify(answer)}`)
      const isOnly = ![...running].some((other) => other.payment === payment && world.alive.has(other.owner))
      if (isOnly || answer.success) check(payment, answer)
      told.set(payment, [...(told.get(payment) ?? []), { call, answer, isOnly }])
    }
    await release(isHeard || mutant.alwaysSent)
  }

  /** What an answer says must be true when its caller receives it. */
  function check(payment: Payment, { success, transaction, errorReason = '' }: SettleAnswer): void {
    const paidBy = chain.paidBy(payment.nonce)
    if (chain.reorganizations() > 0) return
    if (success && paidBy !== transaction) fail(payment, `is told settled by ${transaction}, and is paid by ${paidBy}`)
    if (success || UNCLEAR.test(errorReason)) return
    if (paidBy !== null && paidBy !== '0x') fail(payment, `is refused (${errorReason}) and is paid`)
    if (chain.waiting(payment.nonce).length > 0) fail(payment, `is refused (${errorReason}) and waits for a block`)
  }

  function fail(payment: Payment, what: string): void {
    violation ??= `payment ${payments.indexOf(payment)} ${what}`
  }

  function checkNow(): void {
    for (const payment of payments) {
      if (chain.waiting(payment.nonce).length > 1 && chain.reorganizations() === 0) fail(payment, 'is sent twice')
    }
    if (violation !== null) throw new Violation(violation)
  }

  const quiet = (work: Promise<unknown>): void => void work.catch(() => undefined)
  const processOf = (index: number): Process => at(processes, index)

  async function kill(index: number, reached: number): Promise<void> {
    const { owner } = processOf(index)
    engine.note(`worker ${owner} is killed`)
    await engine.kill(owner, reached)
    replace(owner)
  }

  function onChain(what: 'cancel' | 'submit', payment: Payment): void {
    foreign.add(payment)
    chain.foreign(what, { payer: payment.payer, value: VALUE, nonce: payment.nonce })
  }

  async function act(action: Action): Promise<void> {
    switch (action.do) {
      case 'bring': {
        const chosen = Array.from({ length: action.count }, (_, index) => at(payments, action.payment + index))
        for (const payment of chosen) quiet(bring(payment, processOf(action.process), action.isHeard))
        return
      }
      case 'fault':
        return engine.arm(action.op, action.kind)
      case 'advance':
        return engine.advance(action.ms)
      case 'kill':
        return kill(action.process, action.reached)
      case 'reorganize':
        return chain.reorganize(action.forgets)
      case 'cancel':
        return onChain('cancel', at(payments, action.payment))
      case 'front-run':
        return onChain('submit', at(payments, action.payment))
      case 'no gas':
      case 'gas':
        return chain.setGasFunds(at(KEYS, action.key), action.do === 'gas' ? 10n ** 18n : 0n)
      case 'base fee':
        return chain.setBaseFee(BigInt(action.gwei) * GWEI)
      case 'stall':
      case 'resume':
        return chain.stall(action.do === 'stall')
      case 'old ones win':
        return chain.oldOnesWin()
      case 'forget mempool':
        return chain.forgetMempool()
      case 'steal':
        return processOf(action.process).steal(at(KEYS, action.key))
    }
  }

  /** Whether the last answer that this payment's caller has is final. */
  function hasAnswer(payment: Payment): boolean {
    const last = told.get(payment)?.at(-1)
    return (
      last !== undefined && last.call === calls.get(payment) && !/pending|duplicate/.test(last.answer.errorReason ?? '')
    )
  }

  async function finish(): Promise<void> {
    engine.note('— everything works again —')
    chain.stall(false)
    chain.setBaseFee(GWEI)
    for (const key of KEYS) chain.setGasFunds(key, 10n ** 18n)
    await engine.advance(120_000)
    engine.disarm()
    await engine.advance(120_000)
    checkNow()
    checkRefused()
    engine.note('— every caller comes back —')
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const left = [...calls.keys()].filter((payment) => round === 0 || !hasAnswer(payment))
      if (left.length === 0) break
      for (const payment of left) quiet(bring(payment, processOf(round), true))
      await engine.advance(31_000)
      checkNow()
    }
    await engine.advance(60_000)
    for (const payment of calls.keys()) checkEnd(payment)
    checkNow()
    if ((await world.store.open(NETWORK)).length > 0) throw new Violation('a transaction never came to rest')
    if (chain.mempoolSize() > 0) throw new Violation('a transaction is left in the mempool')
  }

  /** Without another call a refused payment is never paid. */
  function checkRefused(): void {
    for (const [payment, answers] of told) {
      const last = answers.at(-1)
      const isRefused = last !== undefined && !last.answer.success && !UNCLEAR.test(last.answer.errorReason ?? '')
      const paidBy = chain.paidBy(payment.nonce)
      if (!isRefused || !last.isOnly || last.call !== calls.get(payment) || paidBy === null || paidBy === '0x') continue
      const wasSettled = answers.some(({ answer }) => answer.success)
      if (chain.reorganizations() === 0 && !wasSettled) fail(payment, 'was refused, and is paid without another call')
    }
  }

  function checkEnd(payment: Payment): void {
    const answers = (told.get(payment) ?? []).map(({ answer }) => answer)
    const isTold = answers.some(({ success }) => success)
    const paidBy = chain.paidBy(payment.nonce)
    const isPaid = paidBy !== null && paidBy !== '0x'
    const isGood = !foreign.has(payment) && chain.balanceOf(payment.payer) >= VALUE
    if (!hasAnswer(payment)) fail(payment, 'never got an answer')
    else if (isPaid && !isTold) fail(payment, 'is paid, and its caller never hears of it')
    else if (!isPaid && isTold && chain.reorganizations() === 0) fail(payment, 'is told settled, and is not paid')
    else if (!isPaid && isGood) fail(payment, 'could be paid, and never was')
  }

  return {
    engine,
    finish,
    async act(action: Action): Promise<void> {
      await act(action)
      checkNow()
    },
  }
}

/** The item at `index`, which wraps around. */
function at<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length]
  if (item === undefined) throw new Error('an empty list')
  return item
}
