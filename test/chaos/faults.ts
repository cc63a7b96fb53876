/** Faults that one call to a peer may be dealt. What each does stands beside the peer's simulation. */
export const FAULTS = {
  database: ['fails before it takes effect', 'fails after it took effect', 'slow'],
  verify: ['refuses', 'unavailable', 'times out', 'RPC outage as bad signature', 'nonce-used for nothing', 'slow'],
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
  ],
  chain: ['down', 'slow'],
  create: ['answer lost', '429', '4xx', '5xx', 'times out, not started', 'times out, started', 'slow'],
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
  get: ['down', 'slow'],
  list: ['down', 'webhook left out'],
  openFile: ['down'],
  put: ['down', 'answer lost', 'slow'],
  head: ['down'],
} as const

export type Op = keyof typeof FAULTS
export type FaultKind = (typeof FAULTS)[Op][number]

export interface Fault {
  op: Op
  kind: FaultKind
}

export const ALL_FAULTS: Fault[] = (Object.keys(FAULTS) as Op[]).flatMap((op) =>
  FAULTS[op].map((kind) => ({ op, kind })),
)
