import type { Config } from '../config/config.ts'
import type { Model, Task } from './model.ts'

const NOTES: Record<Task, string> = {
  'text-to-image': 'Here a small built-in renderer draws an illustrated scene instead; no diffusion model runs.',
  'text-to-text':
    'Here a small built-in writing helper of rules answers instead, or the language model that LOCAL_LLM_URL names.',
  'text-to-sound': 'Here a small built-in voice or composer sounds instead; this model does not run.',
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/**
 * A model's description; in development with a provider on this machine, also that a local substitute answers.
 *
 * @example describeModel(flux, config) // 'Fast pictures in four steps, good for trying ideas. Here a small built-in renderer …'
 */
export function describeModel(
  model: Model,
  { environment, provider }: Pick<Config, 'environment' | 'provider'>,
): string {
  const isStandIn = environment === 'development' && LOOPBACK.includes(new URL(provider.baseUrl).hostname)
  return isStandIn ? `${model.description} ${NOTES[model.task]}` : model.description
}
