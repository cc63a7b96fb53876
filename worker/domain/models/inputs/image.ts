import * as z from 'zod'
import { choice, decimal, integer, optionalText, promptSchema, seed, toggle } from './fields.ts'

const picturePrompt = () => promptSchema({ description: 'What the picture shows: subject, place, light, style.' })

const outputFormat = () =>
  choice({ title: 'Format', description: 'File format of the picture.', values: ['webp', 'jpg', 'png'] })

const outputQuality = () =>
  integer({ title: 'Quality', description: 'Of webp and jpg, 0 to 100.', min: 0, max: 100, default: 80 })

const aspectRatio = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  choice({ title: 'Aspect ratio', description: 'Width to height.', values })

const FLUX_RATIOS = ['1:1', '16:9', '21:9', '3:2', '2:3', '4:5', '5:4', '3:4', '4:3', '9:16', '9:21'] as const

const fluxSize = () => ({
  aspect_ratio: aspectRatio(FLUX_RATIOS),
  megapixels: choice({ title: 'Megapixels', description: 'Approximate size.', values: ['1', '0.25'] }),
})

const goFast = () =>
  toggle({ title: 'Go fast', description: 'Reduced precision: quicker, and not repeatable.', default: true })

export const fluxSchnellInput = () =>
  z.strictObject({
    prompt: picturePrompt(),
    ...fluxSize(),
    num_outputs: integer({ title: 'Pictures', description: 'How many to make.', min: 1, max: 4, default: 1 }),
    num_inference_steps: integer({ title: 'Steps', description: 'Denoising steps.', min: 1, max: 4, default: 4 }),
    seed: seed(),
    output_format: outputFormat(),
    output_quality: outputQuality(),
    go_fast: goFast(),
  })

/** 2 pictures of 50 steps are 3.6 times the usual work. */
export const fluxDevInput = () =>
  z.strictObject({
    prompt: picturePrompt(),
    ...fluxSize(),
    num_outputs: integer({ title: 'Pictures', description: 'How many to make.', min: 1, max: 2, default: 1 }),
    num_inference_steps: integer({ title: 'Steps', description: 'Denoising steps.', min: 1, max: 50, default: 28 }),
    guidance: decimal({ title: 'Guidance', description: 'How close to the prompt.', min: 0, max: 10, default: 3 }),
    seed: seed(),
    output_format: outputFormat(),
    output_quality: outputQuality(),
    go_fast: goFast(),
  })

export const fluxProInput = () =>
  z.strictObject({
    prompt: picturePrompt(),
    aspect_ratio: aspectRatio(['1:1', '16:9', '3:2', '2:3', '4:5', '5:4', '9:16', '3:4', '4:3']),
    prompt_upsampling: toggle({
      title: 'Enrich prompt',
      description: 'Let the model add detail to the prompt.',
      default: false,
    }),
    safety_tolerance: integer({
      title: 'Safety tolerance',
      description: '1 is the strictest, 5 the most permissive.',
      min: 1,
      max: 5,
      default: 2,
    }),
    seed: seed(),
    output_format: outputFormat(),
    output_quality: outputQuality(),
  })

export const stableDiffusionInput = () =>
  z.strictObject({
    prompt: picturePrompt(),
    negative_prompt: optionalText({
      title: 'Negative prompt',
      description: 'What the picture should not show.',
      maxLength: 2_000,
    }),
    aspect_ratio: aspectRatio(['1:1', '16:9', '21:9', '3:2', '2:3', '4:5', '5:4', '9:16', '9:21']),
    cfg: decimal({ title: 'Guidance', description: 'How close to the prompt.', min: 1, max: 10, default: 5 }),
    seed: seed(),
    output_format: outputFormat(),
  })
