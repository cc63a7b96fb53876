import { type Fields, fields, flag, list, maybeFields, num, oneOf, str } from '../shape.ts'

export const TASKS = ['text-to-image', 'text-to-text', 'text-to-sound'] as const
export type Task = (typeof TASKS)[number]
export const TIERS = ['free', 'standard', 'premium'] as const
export type Tier = (typeof TIERS)[number]

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
