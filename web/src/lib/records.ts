import { type Fields, fields, flag, list, maybeFields, maybeNum, maybeStr, num, oneOf, str } from './shape.ts'

export const TASKS = ['text-to-image', 'text-to-text', 'text-to-sound'] as const
export type Task = (typeof TASKS)[number]
export const TIERS = ['free', 'standard', 'premium'] as const
export type Tier = (typeof TIERS)[number]
export type Status = 'pending' | 'succeeded' | 'failed'

export interface Model {
  id: string
  name: string
  task: Task
  tier: Tier
  locked: boolean
  description: string
  inputSchema: Fields
  examples: Fields[]
  estimatedSeconds: number
  /** USDC, 6 decimals. */
  estimatedCostUsdc: string
}

export type Output = { type: 'text'; text: string } | { type: 'image' | 'audio'; urls: string[] }

export interface Metrics {
  predictTimeMs: number | null
  estimatedSeconds: number | null
  estimatedCostUsdc: string | null
  actualCostUsdc: string | null
  paymentAsset: string | null
  paymentAmount: string | null
  paymentTxHash: string | null
  paymentNetwork: string | null
}

/** One inference, as the paid call, the status call and the history give it; the last two say more. */
export interface Inference {
  id: string
  status: Status
  output: Output | null
  metrics: Metrics
  task: Task | null
  model: string | null
  input: Fields | null
  createdAt: string | null
  completedAt: string | null
  error: { code: string; detail: string | null } | null
  paymentState: string | null
}

export interface Account {
  address: string
  chainId: number
  stakedAic: string
  heldAic: string
  tier: Tier
  discountPct: string
  effectiveRateUsdc: string
  balances: { usdc: string | null; aic: string | null }
  spent: { usdc: string; aic: string }
}

export interface Stats {
  total: number
  succeeded: number
  failed: number
  usdcSettled: string
  aicSettled: string
  aicBurnedAmount: string
  models: {
    id: string
    runs: number
    successRate: number | null
    p50Seconds: number | null
    p95Seconds: number | null
  }[]
  days: { date: string; runs: number }[]
  asOf: string | null
}

export function readModels(body: unknown): Model[] {
  return list(fields(body), 'models', readModel)
}

function readModel(value: unknown): Model {
  const from = fields(value, 'model')
  const example = from['example']
  return {
    id: str(from, 'id'),
    name: str(from, 'name'),
    task: oneOf(from['task'], TASKS, 'text-to-image'),
    tier: oneOf(from['tier'], TIERS, 'free'),
    locked: flag(from, 'locked'),
    description: str(from, 'description'),
    inputSchema: fields(from['inputSchema'], 'inputSchema'),
    examples: (Array.isArray(example) ? example : [example]).flatMap((item: unknown) => {
      const read = maybeFields({ item }, 'item')
      return read === null ? [] : [read]
    }),
    estimatedSeconds: num(from, 'estimatedSeconds'),
    estimatedCostUsdc: str(from, 'estimatedCostUsdc'),
  }
}

export function readInference(body: unknown): Inference {
  const from = fields(body, 'inference')
  const task = maybeStr(from, 'task')
  const error = maybeFields(from, 'error')
  return {
    id: str(from, 'id'),
    status: oneOf(from['status'], ['pending', 'succeeded', 'failed'], 'pending'),
    output: readOutput(maybeFields(from, 'output')),
    metrics: readMetrics(maybeFields(from, 'metrics') ?? {}),
    task: task === null ? null : oneOf(task, TASKS, 'text-to-image'),
    model: maybeStr(from, 'model'),
    input: maybeFields(from, 'input'),
    createdAt: maybeStr(from, 'createdAt'),
    completedAt: maybeStr(from, 'completedAt'),
    error: error === null ? null : { code: maybeStr(error, 'code') ?? '', detail: maybeStr(error, 'detail') },
    paymentState: maybeStr(from, 'paymentState'),
  }
}

function readOutput(from: Fields | null): Output | null {
  if (from === null) return null
  if (from['type'] === 'text') return { type: 'text', text: maybeStr(from, 'text') ?? '' }
  if (from['type'] !== 'image' && from['type'] !== 'audio') return null
  const urls = Array.isArray(from['urls']) ? from['urls'] : []
  return { type: from['type'], urls: urls.filter((url): url is string => typeof url === 'string') }
}

function readMetrics(from: Fields): Metrics {
  return {
    predictTimeMs: maybeNum(from, 'predictTimeMs'),
    estimatedSeconds: maybeNum(from, 'estimatedSeconds'),
    estimatedCostUsdc: maybeStr(from, 'estimatedCostUsdc'),
    actualCostUsdc: maybeStr(from, 'actualCostUsdc'),
    paymentAsset: maybeStr(from, 'paymentAsset'),
    paymentAmount: maybeStr(from, 'paymentAmount'),
    paymentTxHash: maybeStr(from, 'paymentTxHash'),
    paymentNetwork: maybeStr(from, 'paymentNetwork'),
  }
}

export function readInferencePage(body: unknown): { items: Inference[]; nextCursor: string | null } {
  const from = fields(body)
  return { items: list(from, 'items', readInference), nextCursor: maybeStr(from, 'nextCursor') }
}

export function readAccount(body: unknown): Account {
  const from = fields(body)
  const balances = maybeFields(from, 'balances') ?? {}
  const spent = maybeFields(from, 'spent') ?? {}
  return {
    address: str(from, 'address'),
    chainId: num(from, 'chainId'),
    stakedAic: str(from, 'stakedAic'),
    heldAic: str(from, 'heldAic'),
    tier: oneOf(from['tier'], TIERS, 'free'),
    discountPct: str(from, 'discountPct'),
    effectiveRateUsdc: str(from, 'effectiveRateUsdc'),
    balances: { usdc: maybeStr(balances, 'usdc'), aic: maybeStr(balances, 'aic') },
    spent: { usdc: maybeStr(spent, 'usdc') ?? '0', aic: maybeStr(spent, 'aic') ?? '0' },
  }
}

export function readStats(body: unknown): Stats {
  const from = fields(body)
  const counts = maybeFields(from, 'inferences') ?? {}
  return {
    total: maybeNum(counts, 'total') ?? 0,
    succeeded: maybeNum(counts, 'succeeded') ?? 0,
    failed: maybeNum(counts, 'failed') ?? 0,
    usdcSettled: maybeStr(from, 'usdcSettled') ?? '0',
    aicSettled: maybeStr(from, 'aicSettled') ?? '0',
    aicBurnedAmount: maybeStr(from, 'aicBurnedAmount') ?? '0',
    models: list(from, 'models', (value) => {
      const model = fields(value)
      return {
        id: str(model, 'id'),
        runs: num(model, 'runs'),
        successRate: readRate(model),
        p50Seconds: maybeNum(model, 'p50Seconds'),
        p95Seconds: maybeNum(model, 'p95Seconds'),
      }
    }),
    days: list(from, 'days', (value) => {
      const day = fields(value)
      return { date: str(day, 'date'), runs: num(day, 'runs') }
    }),
    asOf: maybeStr(from, 'asOf'),
  }
}

/** A share from 0 to 1; taken as a number or as a decimal string. */
function readRate(from: Fields): number | null {
  const rate = maybeNum(from, 'successRate') ?? Number(maybeStr(from, 'successRate') ?? Number.NaN)
  return Number.isFinite(rate) ? rate : null
}
