import type { ServedModel } from '../engines/models.ts'
import { inputSchemasOf } from './input-schemas.ts'

const OUTPUT_SCHEMAS = {
  url: { type: 'string', format: 'uri', title: 'Output' },
  urls: { type: 'array', items: { type: 'string', format: 'uri' }, title: 'Output' },
  pieces: {
    type: 'array',
    items: { type: 'string' },
    title: 'Output',
    'x-cog-array-type': 'iterator',
    'x-cog-array-display': 'concatenate',
  },
  audio_out: {
    type: 'object',
    title: 'ModelOutput',
    required: ['audio_out'],
    properties: { audio_out: { type: 'string', format: 'uri' }, prompt_npz: { type: 'string', format: 'uri' } },
  },
}

const ENGINE_NOTES = {
  picture: 'Local stand-in: a small renderer draws an illustrated scene. No diffusion model runs.',
  text: 'Local stand-in: a small writing helper of rules. No language model runs.',
  speech: 'Local stand-in: a small statistical voice (CMU Flite). Not the model of this name.',
  music: 'Local stand-in: a rule-based composer and synthesiser. Not the model of this name.',
}

/** The model as `GET /models/{owner}/{name}` shows it. The description says which engine runs here instead. */
export function describeModel(id: string, model: ServedModel, base: string) {
  const [owner, name] = id.split('/')
  return {
    url: `${base}/models/${id}`,
    owner,
    name,
    description: ENGINE_NOTES[model.engine],
    visibility: 'public',
    is_official: model.version === undefined,
    github_url: null,
    paper_url: null,
    license_url: null,
    run_count: 0,
    cover_image_url: null,
    default_example: null,
    latest_version: describeVersion(id, model),
  }
}

/** The model's version as `GET /models/{owner}/{name}/versions/{id}` shows it, with the schemas of what it takes and answers. */
export const describeVersion = (id: string, model: ServedModel) => ({
  id: model.version ?? 'hidden',
  created_at: '2025-01-01T00:00:00Z',
  cog_version: '0.14.0',
  openapi_schema: { components: { schemas: { ...inputSchemasOf(id), Output: OUTPUT_SCHEMAS[model.output] } } },
})
