import { type Fields, fields, flag, list, maybeFields, num, oneOf, str } from '../../../../shared/shape.ts'
import { serviceMessages } from '../../messages/active.ts'

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
  /** True if its tier is shown, and not enforced yet. */
  isOpenForNow: boolean
  /** False while the provider does not run it. */
  available: boolean
  description: string
  /** True if a small program of the local stack runs instead of this model. */
  isStandIn: boolean
  inputSchema: Fields
  examples: Fields[]
  estimatedSeconds: number
  /** USDC, 6 decimals. */
  estimatedCostUsdc: string
}

export function readModels(body: unknown): Model[] {
  return list(fields(body), 'models', readModel)
}

/** The local stack starts its own sentence with these words, at the end of each model's description. */
const STAND_IN = ' Here a built-in '

function readModel(value: unknown): Model {
  const from = fields(value, 'model')
  const example = from['example']
  const lock = maybeFields(from, 'lock') ?? {}
  const [description = '', note] = str(from, 'description').split(STAND_IN)
  return {
    id: str(from, 'id'),
    name: str(from, 'name'),
    task: oneOf(from['task'], TASKS, 'text-to-image'),
    tier: oneOf(from['tier'], TIERS, 'free'),
    locked: flag(from, 'locked'),
    isOpenForNow: lock['enforced'] === false && lock['met'] !== true,
    available: from['available'] !== false,
    description: serviceMessages.models[str(from, 'id')] ?? description,
    isStandIn: note !== undefined,
    inputSchema: fields(from['inputSchema'], 'inputSchema'),
    examples: (Array.isArray(example) ? example : [example]).flatMap((item: unknown) => {
      const read = maybeFields({ item }, 'item')
      return read === null ? [] : [read]
    }),
    estimatedSeconds: num(from, 'estimatedSeconds'),
    estimatedCostUsdc: str(from, 'estimatedCostUsdc'),
  }
}
