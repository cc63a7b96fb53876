/** A process may end with any call: before the peer gets it, or just as it does. */
const DEATHS = ['worker dies before it arrives', 'worker dies as it arrives'] as const

/** Faults that one call to a peer may be dealt. What each does stands beside the peer's simulation. */
export const FAULTS = {
  database: ['fails before it takes effect', 'fails after it took effect', 'slow', ...DEATHS],
  verify: [
    'refuses',
    'unavailable',
    'times out',
    'RPC outage as bad signature',
    'nonce-used for nothing',
    'slow',
    ...DEATHS,
  ],
  settle: [
    'refuses',
    '5xx before broadcast',
    '5xx after broadcast',
    'garbage after broadcast',
    'times out before broadcast',
    'times out after broadcast',
    'pending',
    'nonce-used for nothing',
    'mined late',
    'dropped from the mempool',
    'batched',
    'slow',
    ...DEATHS,
  ],
  chain: ['down', 'slow', ...DEATHS],
  create: ['answer lost', '429', '4xx', '5xx', 'times out, not started', 'times out, started', 'slow', ...DEATHS],
  run: [
    'slow',
    'very slow',
    'fails',
    'canceled',
    'aborted',
    'unknown status, then done',
    'unknown status for ever',
    'no predict_time',
    'data removed',
  ],
  get: ['down', 'slow', ...DEATHS],
  list: ['down', 'webhook left out', ...DEATHS],
  openFile: ['down', ...DEATHS],
  put: ['down', 'answer lost', 'slow', ...DEATHS],
  head: ['down', ...DEATHS],
} as const

export type Op = keyof typeof FAULTS
export type FaultKind = (typeof FAULTS)[Op][number]

export interface Fault {
  op: Op
  kind: FaultKind
}

export const isDeath = (kind: FaultKind | null): boolean => DEATHS.some((death) => death === kind)

const isOp = (name: string): name is Op => Object.hasOwn(FAULTS, name)

export const ALL_FAULTS: Fault[] = Object.keys(FAULTS)
  .filter(isOp)
  .flatMap((op) => FAULTS[op].map((kind): Fault => ({ op, kind })))

/** Calls that happen only after something else went wrong: each of their faults comes with such a cause. */
const CAUSES: Partial<Record<Op, Fault>> = {
  list: { op: 'create', kind: 'answer lost' },
  head: { op: 'run', kind: 'data removed' },
}

/** A fault with what it needs to be met at all. */
export const withCause = (fault: Fault): Fault[] => {
  const cause = CAUSES[fault.op]
  return cause === undefined ? [fault] : [cause, fault]
}
