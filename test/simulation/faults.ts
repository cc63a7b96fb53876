/** A process may end with any call: before the service receives it, or just after. */
const DEATHS = ['worker dies before it arrives', 'worker dies as it arrives'] as const

/** The faults one call to a service may have. Each simulated service says what its faults do. */
export const FAULTS = {
  database: [
    'fails before it takes effect',
    'fails after it took effect',
    'rolled back once (40001)',
    'rolled back twice (40P01)',
    'read-only (25006)',
    'slow',
    ...DEATHS,
  ],
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
    'pending though it was mined',
    'says no though it was mined',
    'says no before it is mined',
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
    'data: output',
  ],
  get: ['down', 'slow', ...DEATHS],
  list: ['down', 'webhook left out', ...DEATHS],
  openFile: ['down', 'not visible yet', 'never visible', 'waiting page', 'empty body', 'cut body', ...DEATHS],
  put: ['down', 'answer lost', 'slow', ...DEATHS],
  head: ['down', ...DEATHS],
} as const

export type Op = keyof typeof FAULTS
export type FaultKind = (typeof FAULTS)[Op][number]

export interface Fault {
  op: Op
  kind: FaultKind
}

export const isDeath = (kind: string | null): boolean => DEATHS.some((death) => death === kind)

const isOp = (name: string): name is Op => Object.hasOwn(FAULTS, name)

export const ALL_FAULTS: Fault[] = Object.keys(FAULTS)
  .filter(isOp)
  .flatMap((op) => FAULTS[op].map((kind): Fault => ({ op, kind })))

/** Calls that happen only after another fault: each of their faults comes with such a cause. */
const CAUSES: Partial<Record<Op, Fault>> = {
  list: { op: 'create', kind: 'answer lost' },
  head: { op: 'run', kind: 'data removed' },
}

/** A fault, after the fault without which its call never happens. */
export const withCause = (fault: Fault): Fault[] => {
  const cause = CAUSES[fault.op]
  return cause === undefined ? [fault] : [cause, fault]
}

/** The events of a schedule beside the faults of single calls, as the report counts it. */
export const SITUATIONS = {
  frontRun: 'chain: a stranger submits first',
  cancelled: 'chain: cancelled by the payer',
  stalled: 'chain: stalls',
  oldTimes: 'chain: continues with old times',
  reverted: 'chain: a contract wallet reverts',
  databaseAway: 'database: away for a while',
  readOnly: 'database: read-only for a while',
  claimedAgain: 'callers: a refused payment is claimed again hours later',
  wokenUp: 'queue: wake-ups arrive',
  followers: 'callers: many followers of one payment',
} as const

/** The names of all faults and situations, as the report shows them. */
export const ALL_NAMES: readonly string[] = [
  ...ALL_FAULTS.map(({ op, kind }) => `${op}: ${kind}`),
  ...Object.values(SITUATIONS),
]
