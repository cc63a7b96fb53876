import { type Fields, fields, list, maybeFields, maybeNum, maybeStr, oneOf, str } from '../../../../shared/shape.ts'
import { TASKS, type Task } from './models.ts'

type Status = 'pending' | 'succeeded' | 'failed'

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

/** One inference from the paid call, the status call or the history. The last two have more members. */
export interface Inference {
  id: string
  status: Status
  output: Output | null
  metrics: Metrics
  task: Task | null
  /** The first 200 characters of the prompt, in the history only. */
  prompt: string | null
  model: string | null
  input: Fields | null
  createdAt: string | null
  completedAt: string | null
  error: { code: string; detail: string | null } | null
  paymentState: string | null
  /** Of a paid run that failed for good. */
  refund: Refund | null
}

/** `owed`, or `refunded` at that time, with its transaction where one is known. */
export interface Refund {
  status: 'owed' | 'refunded'
  refundedAt: string | null
  transaction: string | null
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
    prompt: maybeStr(from, 'prompt'),
    model: maybeStr(from, 'model'),
    input: maybeFields(from, 'input'),
    createdAt: maybeStr(from, 'createdAt'),
    completedAt: maybeStr(from, 'completedAt'),
    error: error === null ? null : { code: maybeStr(error, 'code') ?? '', detail: maybeStr(error, 'detail') },
    paymentState: maybeStr(from, 'paymentState'),
    refund: readRefund(maybeFields(from, 'refund')),
  }
}

function readRefund(from: Fields | null): Refund | null {
  if (from === null) return null
  return {
    status: oneOf(from['status'], ['owed', 'refunded'], 'owed'),
    refundedAt: maybeStr(from, 'refundedAt'),
    transaction: maybeStr(from, 'transaction'),
  }
}

export function readOutput(from: Fields | null): Output | null {
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

/** The prompt of a record. The history has only its start. */
export function promptOf({ input, prompt }: Pick<Inference, 'input' | 'prompt'>): string {
  return promptIn(input ?? {}) || (prompt ?? '')
}

/** The prompt of a model's input: the first text in it, if none has the usual name. */
export function promptIn(input: Fields): string {
  const own = input['prompt'] ?? input['text'] ?? Object.values(input).find((value) => typeof value === 'string')
  return typeof own === 'string' ? own : ''
}
