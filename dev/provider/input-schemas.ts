/** One input in JSON Schema, as the provider's packager Cog writes it. Choices stand beside the inputs, behind a reference. */
interface Input {
  schema: Record<string, unknown>
  choices?: Record<string, unknown>
}

const text = (more: Record<string, unknown> = {}): Input => ({ schema: { type: 'string', ...more } })
const file = text({ format: 'uri' })
const toggle = (fallback: boolean): Input => ({ schema: { type: 'boolean', default: fallback } })
const integer = (minimum?: number, maximum?: number, fallback?: number): Input => ({
  schema: { type: 'integer', minimum, maximum, default: fallback },
})
const decimal = (minimum?: number, maximum?: number, fallback?: number): Input => ({
  schema: { type: 'number', minimum, maximum, default: fallback },
})
const choice = (values: string, fallback?: string): Input => ({
  schema: { default: fallback },
  choices: { type: 'string', enum: values.split(' '), description: 'An enumeration.' },
})

/** The schemas of a model's inputs by name, `Input` among them. The first input is the one that is required. */
function schemasOf(inputs: Record<string, Input>): Record<string, unknown> {
  const properties = Object.entries(inputs).map(([name, { schema, choices }], order) => {
    const reference = choices === undefined ? {} : { allOf: [{ $ref: `#/components/schemas/${name}` }] }
    return [name, { title: name, 'x-order': order, ...schema, ...reference }]
  })
  const choices = Object.entries(inputs).flatMap(([name, input]) =>
    input.choices === undefined ? [] : [[name, { title: name, ...input.choices }]],
  )
  const input = {
    type: 'object',
    title: 'Input',
    required: Object.keys(inputs).slice(0, 1),
    properties: Object.fromEntries(properties),
  }
  return { Input: input, ...Object.fromEntries(choices) }
}

const FLUX_RATIOS = '1:1 16:9 21:9 3:2 2:3 4:5 5:4 3:4 4:3 9:16 9:21'
const SD_RATIOS = '16:9 1:1 21:9 2:3 3:2 4:5 5:4 9:16 9:21'
const FORMATS = 'webp jpg png'
const picture = (ratios: string): Record<string, Input> => ({
  prompt: text(),
  aspect_ratio: choice(ratios, '1:1'),
  seed: integer(),
  output_format: choice(FORMATS, 'webp'),
})
const flux = (outputs: number, steps: number, usualSteps: number): Record<string, Input> => ({
  ...picture(FLUX_RATIOS),
  num_outputs: integer(1, outputs, 1),
  num_inference_steps: integer(1, steps, usualSteps),
  output_quality: integer(0, 100, 80),
  disable_safety_checker: toggle(false),
  go_fast: toggle(true),
  megapixels: choice('1 0.25', '1'),
})
const stableDiffusion = (): Record<string, Input> => ({
  ...picture(SD_RATIOS),
  cfg: decimal(1, 10, 5),
  image: file,
  prompt_strength: decimal(0, 1, 0.85),
  negative_prompt: text(),
})
const llama = (): Record<string, Input> => ({
  prompt: text({ default: '' }),
  max_tokens: integer(1, undefined, 512),
  min_tokens: integer(-1),
  temperature: decimal(0, 5, 0.7),
  top_p: decimal(0, 1, 0.95),
  top_k: integer(-1, undefined, 0),
  presence_penalty: decimal(undefined, undefined, 0),
  frequency_penalty: decimal(undefined, undefined, 0),
})
const claude = (fewestTokens: number, mostTokens: number): Record<string, Input> => ({
  prompt: text(),
  system_prompt: text({ default: '' }),
  max_tokens: integer(fewestTokens, mostTokens, Math.max(1_024, fewestTokens)),
})

const BARK_VOICES = `announcer ${['en', 'de', 'es', 'fr']
  .flatMap((language) => Array.from({ length: 10 }, (_, index) => `${language}_speaker_${index}`))
  .join(' ')}`
const KOKORO_VOICES =
  'af_alloy af_bella af_nicole af_nova af_sarah af_sky am_adam am_echo am_michael bf_alice bf_emma bf_isabella bm_daniel bm_george bm_lewis'
const EMOTIONS = 'auto happy sad angry fearful disgusted surprised calm fluent neutral'

const INPUTS: Record<string, Record<string, Input>> = {
  'black-forest-labs/flux-schnell': flux(4, 4, 4),
  'black-forest-labs/flux-dev': { ...flux(4, 50, 28), guidance: decimal(0, 10, 3), image: file },
  'black-forest-labs/flux-1.1-pro': {
    ...picture('custom 1:1 16:9 3:2 2:3 4:5 5:4 9:16 3:4 4:3'),
    width: integer(256, 1_440),
    height: integer(256, 1_440),
    image_prompt: file,
    prompt_upsampling: toggle(false),
    safety_tolerance: integer(1, 6, 2),
    output_quality: integer(0, 100, 80),
  },
  'stability-ai/stable-diffusion-3.5-medium': stableDiffusion(),
  'stability-ai/stable-diffusion-3.5-large': stableDiffusion(),
  'meta/meta-llama-3-8b-instruct': llama(),
  'meta/meta-llama-3-70b-instruct': llama(),
  'openai/gpt-4o-mini': {
    prompt: text(),
    system_prompt: text(),
    max_completion_tokens: integer(undefined, undefined, 4_096),
    temperature: decimal(0, 2, 1),
    top_p: decimal(0, 1, 1),
    frequency_penalty: decimal(-2, 2, 0),
    presence_penalty: decimal(-2, 2, 0),
  },
  'anthropic/claude-4.5-haiku': claude(1, 64_000),
  'anthropic/claude-4.5-sonnet': claude(1_024, 64_000),
  'anthropic/claude-4-sonnet': claude(1_024, 64_000),
  'suno-ai/bark': {
    prompt: text(),
    history_prompt: choice(BARK_VOICES),
    text_temp: decimal(undefined, undefined, 0.7),
    waveform_temp: decimal(undefined, undefined, 0.7),
    output_full: toggle(false),
  },
  'jaaari/kokoro-82m': { text: text(), voice: choice(KOKORO_VOICES, 'af_bella'), speed: decimal(0.1, 5, 1) },
  'minimax/speech-02-turbo': {
    text: text({ maxLength: 10_000 }),
    voice_id: text({ default: 'Wise_Woman' }),
    emotion: choice(EMOTIONS, 'auto'),
    speed: decimal(0.5, 2, 1),
    volume: decimal(0, 10, 1),
    pitch: integer(-12, 12, 0),
    audio_format: choice('mp3 wav flac pcm', 'mp3'),
  },
  'meta/musicgen': {
    prompt: text(),
    duration: integer(undefined, undefined, 8),
    model_version: choice('stereo-melody-large stereo-large melody-large large', 'stereo-melody-large'),
    temperature: decimal(undefined, undefined, 1),
    classifier_free_guidance: integer(undefined, undefined, 3),
    output_format: choice('wav mp3', 'wav'),
    seed: integer(),
    input_audio: file,
    continuation: toggle(false),
  },
  'google/lyria-2': { prompt: text(), negative_prompt: text(), seed: integer() },
  'stability-ai/stable-audio-2.5': {
    prompt: text(),
    duration: integer(1, 190, 190),
    steps: integer(4, 8, 8),
    cfg_scale: decimal(1, 25, 1),
    seed: integer(),
  },
}

/** The input schemas of a served model by name, `Input` among them, as the real provider shows them. */
export const inputSchemasOf = (id: string): Record<string, unknown> => schemasOf(INPUTS[id] ?? {})
