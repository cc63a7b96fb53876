export type Engine = 'picture' | 'text' | 'speech' | 'music'

/** How a model wraps its output: one URL, a list of URLs, text in pieces, or an object with the URL in it. */
export type OutputShape = 'url' | 'urls' | 'pieces' | 'audio_out'

export interface ServedModel {
  engine: Engine
  promptField: string
  output: OutputShape
  /** 64 hex digits of a community model, which is called by version. */
  version?: string
}

const picture = (output: OutputShape): ServedModel => ({ engine: 'picture', promptField: 'prompt', output })
const text: ServedModel = { engine: 'text', promptField: 'prompt', output: 'pieces' }
const music: ServedModel = { engine: 'music', promptField: 'prompt', output: 'url' }

/** The served models by `owner/name`, each with the engine that replaces it. */
export const servedModels: ReadonlyMap<string, ServedModel> = new Map<string, ServedModel>([
  ['black-forest-labs/flux-schnell', picture('urls')],
  ['black-forest-labs/flux-dev', picture('urls')],
  ['black-forest-labs/flux-1.1-pro', picture('url')],
  ['stability-ai/stable-diffusion-3.5-medium', picture('url')],
  ['stability-ai/stable-diffusion-3.5-large', picture('url')],
  ['meta/meta-llama-3-8b-instruct', text],
  ['meta/meta-llama-3-70b-instruct', text],
  ['openai/gpt-4o-mini', text],
  ['anthropic/claude-4.5-haiku', text],
  ['anthropic/claude-4.5-sonnet', text],
  ['anthropic/claude-4-sonnet', text],
  [
    'suno-ai/bark',
    {
      engine: 'speech',
      promptField: 'prompt',
      output: 'audio_out',
      version: 'b76242b40d67c76ab6742e987628a2a9ac019e11d56ab96c4e91ce03b79b2787',
    },
  ],
  [
    'jaaari/kokoro-82m',
    {
      engine: 'speech',
      promptField: 'text',
      output: 'url',
      version: 'f559560eb822dc509045f3921a1921234918b91739db4bf3daab2169b71c7a13',
    },
  ],
  ['minimax/speech-02-turbo', { engine: 'speech', promptField: 'text', output: 'url' }],
  ['meta/musicgen', { ...music, version: '671ac645ce5e552cc63a54a2bbff63fcf798043055d2dac5fc9e36a837eedcfb' }],
  ['google/lyria-2', music],
  ['stability-ai/stable-audio-2.5', music],
])

const HEX = /^[0-9a-f]{64}$/

/** The model named by `owner/name`, `owner/name:<hex>` or `<hex>`; undefined if that version is not served. */
export function resolveVersion(version: string): { id: string; model: ServedModel } | undefined {
  if (HEX.test(version)) {
    for (const [id, model] of servedModels) if (model.version === version) return { id, model }
    return undefined
  }
  const [id = '', hex] = version.split(':')
  const model = servedModels.get(id)
  // Only official models, which have no version to pin, may be called by name alone.
  return model && model.version === hex ? { id, model } : undefined
}
