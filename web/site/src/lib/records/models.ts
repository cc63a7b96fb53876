import { type Fields, fields, flag, list, maybeFields, num, oneOf, str } from '../../../../shared/shape.ts'
import { messages, serviceMessages } from '../../messages/active.ts'

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
  /** False while the provider does not run it. */
  available: boolean
  /** With what the model will take, where that does not count yet. */
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

/** The rule of a tier that is not enforced, for who does not meet it. */
function openForNow(from: Fields, tier: Tier): string {
  const lock = maybeFields(from, 'lock')
  return lock?.['enforced'] === false && !lock['met'] ? ` ${messages.lock.later(messages.lock[tier])}` : ''
}

function readModel(value: unknown): Model {
  const from = fields(value, 'model')
  const example = from['example']
  const tier = oneOf(from['tier'], TIERS, 'free')
  const [description = '', note] = str(from, 'description').split(STAND_IN)
  return {
    id: str(from, 'id'),
    name: str(from, 'name'),
    task: oneOf(from['task'], TASKS, 'text-to-image'),
    tier,
    locked: flag(from, 'locked'),
    available: from['available'] !== false,
    description: (serviceMessages.models[str(from, 'id')] ?? description) + openForNow(from, tier),
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
