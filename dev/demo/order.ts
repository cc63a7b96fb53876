import { hasInput, promptField } from '../../client/cli/request.ts'
import type { InferenceRequest, Model, OtherToken } from '../../client/src/index.ts'
import type { DemoFlags, Task } from './flags.ts'
import type { Shop } from './shop.ts'

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
export function makeOrder(model: Model, flags: DemoFlags): InferenceRequest {
  return {
    task: model.task,
    model: model.id,
    input: {
      ...model.example,
      [promptField(model)]: flags.prompt ?? PROMPTS[model.task],
      ...(flags.seed !== undefined && hasInput(model, 'seed') && { seed: flags.seed }),
    },
  }
}

/** More AIC than any local price: the demo's coins are worth nothing. */
const MAX_AIC = '1000'

/** The token that is paid in; undefined for USDC. Throws where AIC is not known. */
export function tokenOf({ chain }: Shop, { pay }: DemoFlags): OtherToken | undefined {
  if (pay === 'usdc') return undefined
  if (!chain?.wrappedAic) throw new Error('--pay aic works on a local stack only')
  return { asset: chain.wrappedAic, decimals: 18, max: MAX_AIC }
}
