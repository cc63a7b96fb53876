import { defineModel } from './define-model.ts'
import { fluxDevInput, fluxProInput, fluxSchnellInput, stableDiffusionInput } from './inputs/image.ts'

const task = 'text-to-image'

export const imageModels = [
  defineModel({
    id: 'black-forest-labs/flux-schnell',
    name: 'FLUX schnell',
    publishedOn: '2024-08-01',
    task,
    tier: 'free',
    description: 'Fast pictures in four steps, good for trying ideas.',
    input: fluxSchnellInput,
    examples: [
      { prompt: 'a red bicycle leaning on a stone wall by the sea, morning light' },
      { prompt: 'a lighthouse on a cliff at sunset, long shadows', aspect_ratio: '16:9' },
    ],
  }),
  defineModel({
    id: 'stability-ai/stable-diffusion-3.5-medium',
    name: 'Stable Diffusion 3.5 Medium',
    publishedOn: '2024-10-29',
    task,
    tier: 'free',
    description: 'Base diffusion model of 2.5 billion parameters, with a negative prompt.',
    input: stableDiffusionInput,
    examples: [{ prompt: 'a quiet mountain lake under a sky full of stars', aspect_ratio: '3:2' }],
  }),
  defineModel({
    id: 'black-forest-labs/flux-dev',
    name: 'FLUX dev',
    publishedOn: '2024-08-01',
    task,
    tier: 'standard',
    description: 'Twelve billion parameters: finer detail and closer to the prompt than schnell.',
    input: fluxDevInput,
    examples: [{ prompt: 'a small wooden boat on a turquoise lagoon, seen from above', num_inference_steps: 28 }],
  }),
  defineModel({
    id: 'stability-ai/stable-diffusion-3.5-large',
    name: 'Stable Diffusion 3.5 Large',
    publishedOn: '2024-10-22',
    task,
    tier: 'premium',
    description: 'Large diffusion model with wide range of styles, with a negative prompt.',
    input: stableDiffusionInput,
    examples: [{ prompt: 'an old city of white houses on a hill, oil painting', negative_prompt: 'people, text' }],
  }),
  defineModel({
    id: 'black-forest-labs/flux-1.1-pro',
    name: 'FLUX 1.1 pro',
    publishedOn: '2024-10-02',
    task,
    tier: 'premium',
    description: 'Large model for finished work: sharp detail, varied output, readable lettering.',
    input: fluxProInput,
    examples: [{ prompt: 'a poppy field in the evening sun, a single tree, shallow focus', aspect_ratio: '3:2' }],
  }),
]
