import type { Config } from '../../config/config.ts'
import type { Model, Task } from './model.ts'

const STAND_INS: Record<Task, string> = {
  'text-to-image': 'renderer draws',
  'text-to-text': 'helper (or the model of LOCAL_LLM_URL) answers',
  'text-to-sound': 'synthesizer plays',
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/**
 * A model's description; in development with a provider on this machine, also that a local substitute answers.
 *
 * @example describeModel(flux, config) // 'Fast pictures in four steps, good for trying ideas. Here a built-in renderer …'
 */
export function describeModel(
  model: Model,
  { environment, provider }: Pick<Config, 'environment' | 'provider'>,
): string {
  const isStandIn = environment === 'development' && LOOPBACK.includes(new URL(provider.baseUrl).hostname)
  return isStandIn
    ? `${model.description} Here a built-in ${STAND_INS[model.task]} instead; this model does not run.`
    : model.description
}
