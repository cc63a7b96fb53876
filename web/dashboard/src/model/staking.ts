import { type Address, getAddress } from 'viem'
import { type ChainEvent, named } from '../reads/events.ts'
import { type Buckets, bucketsOf } from './days.ts'

export interface Staker {
  address: Address
  staked: bigint
}

/** The stake of each account now, counted from the logs; the largest first, accounts with nothing left out. */
export function stakersOf(events: readonly ChainEvent[]): Staker[] {
  const staked = new Map<Address, bigint>()
  for (const event of events) {
    if (event.eventName !== 'Staked' && event.eventName !== 'Unstaked') continue
    const account = getAddress(event.args.account)
    const change = event.eventName === 'Staked' ? event.args.amount : -event.args.amount
    staked.set(account, (staked.get(account) ?? 0n) + change)
  }
  return [...staked]
    .flatMap(([address, amount]) => (amount > 0n ? [{ address, staked: amount }] : []))
    .sort((a, b) => Number(b.staked - a.staked))
}

/** How many stakers are in each step of a ladder. `steps` are the least stakes, in ascending order, the first of them 0. */
export function stakersByStep(
  stakers: readonly Staker[],
  steps: readonly bigint[],
): { count: number; staked: bigint }[] {
  return steps.map((least, index) => {
    const next = steps[index + 1]
    const here = stakers.filter(({ staked }) => staked >= least && (next === undefined || staked < next))
    return { count: here.length, staked: here.reduce((sum, { staked }) => sum + staked, 0n) }
  })
}

/** AIC that went into stakes and out of them by day: two series. */
export function stakingByDay(events: readonly ChainEvent[], until: number): Buckets {
  const into = named(events, 'Staked').map(({ at, args }) => ({ at, series: 0, amount: args.amount }))
  const out = named(events, 'Unstaked').map(({ at, args }) => ({ at, series: 1, amount: args.amount }))
  return bucketsOf([...into, ...out], 2, until)
}

/** AIC that buyers claimed by day. */
export function claimedByDay(events: readonly ChainEvent[], until: number): Buckets {
  return bucketsOf(
    named(events, 'Claimed').map(({ at, args }) => ({ at, series: 0, amount: args.amount })),
    1,
    until,
  )
}

/** AIC that was burned by day. */
export function burnedByDay(events: readonly ChainEvent[], until: number): Buckets {
  return bucketsOf(
    named(events, 'Burned').map(({ at, args }) => ({ at, series: 0, amount: args.amount })),
    1,
    until,
  )
}
