import type { Accept, Model, PaymentRequired } from './api.ts'
import type { DemoFlags, Task } from './flags.ts'
import type { Order } from './purchase.ts'

const PROMPTS: Record<Task, string> = {
  'text-to-image': 'a red bicycle leaning on a garden wall in the evening sun',
  'text-to-text': 'Explain how a lighthouse lens bends light so that a ship far away can see it.',
  'text-to-sound': 'Good evening. One coin, one song: thank you for using the machine.',
}

/** The model that is bought for a task: the named one, or the first that the buyer may use. Null when there is none. */
export function chooseModel(models: readonly Model[], task: Task, flags: DemoFlags): Model | null {
  const ofTask = models.filter((model) => model.task === task)
  if (flags.model !== undefined) return ofTask.find(({ id }) => id === flags.model) ?? null
  return ofTask.find(({ locked }) => !locked) ?? ofTask[0] ?? null
}

/** An order from the model's own example, with the words and the seed of the buyer where the model takes them. */
export function makeOrder(model: Model, flags: DemoFlags): Order {
  const { properties } = model.inputSchema
  const promptField = 'prompt' in properties ? 'prompt' : 'text'
  return {
    task: model.task,
    model: model.id,
    input: {
      ...model.example,
      [promptField]: flags.prompt ?? PROMPTS[model.task],
      ...(flags.seed !== undefined && 'seed' in properties && { seed: flags.seed }),
    },
  }
}

/** AIC signs with version 1, every USDC with version 2. Throws when the service does not take the asset. */
export function chooseEntry({ accepts }: PaymentRequired, pay: DemoFlags['pay']): Accept {
  const entry = accepts.find(({ extra }) => (extra.version === '1') === (pay === 'aic'))
  if (!entry)
    throw new Error(
      `${pay.toUpperCase()} is not taken here; there is: ${accepts.map(({ extra }) => extra.name).join(', ')}`,
    )
  return entry
}
