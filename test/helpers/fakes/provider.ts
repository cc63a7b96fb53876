import { findModel } from '../../../worker/domain/models/catalogue.ts'
import {
  type CreatePrediction,
  type Prediction,
  type Provider,
  ProviderError,
} from '../../../worker/upstreams/provider/provider.ts'

const makeState = () => ({
  down: false,
  output: 'a word' as unknown,
  predictTimeMs: 1234 as number | null,
  tokens: null as Prediction['tokens'],
  created: [] as CreatePrediction[],
  predictions: new Map<string, Prediction>(),
  /** The answer to a look at a run; a test replaces it. */
  plays: (prediction: Prediction): Prediction => prediction,
  createError: null as Error | null,
  files: new Map<string, Uint8Array>(),
  missingModels: new Set<string>(),
  /** The `Input` schema of a model where it is not the catalogue's. */
  inputSchemas: new Map<string, unknown>(),
})

/** A provider whose runs succeed at once with `output`; `plays` scripts the status of later looks. */
export function makeFakeProvider(clock: { now(): Date }) {
  const state = makeState()
  const up = (): void => {
    if (state.down) throw new ProviderError('unavailable', 'the test provider is down')
  }
  const find = (id: string): Prediction => {
    const prediction = state.predictions.get(id)
    if (prediction === undefined) throw new ProviderError('input', 'no such prediction')
    return state.plays(prediction)
  }
  const provider: Provider = {
    async create(request) {
      up()
      if (state.createError !== null) throw state.createError
      state.created.push(request)
      const prediction: Prediction = {
        id: `prediction-${state.created.length}`,
        status: 'succeeded',
        rawStatus: 'succeeded',
        output: state.output,
        error: null,
        lastLog: null,
        predictTimeMs: state.predictTimeMs,
        tokens: state.tokens,
        webhook: request.webhookUrl,
        createdAt: clock.now(),
        dataRemoved: false,
      }
      state.predictions.set(prediction.id, prediction)
      return state.plays(prediction)
    },
    async get(id) {
      up()
      return find(id)
    },
    async cancel(id) {
      up()
      find(id)
    },
    async *list() {
      up()
      for (const prediction of [...state.predictions.values()].reverse()) yield state.plays(prediction)
    },
    async openFile(url) {
      up()
      const bytes = state.files.get(url)
      if (bytes === undefined) throw new ProviderError('input', 'the file is gone')
      return { body: new Blob([new Uint8Array(bytes)]).stream(), length: bytes.length }
    },
    async readModel(model) {
      up()
      const [id = ''] = model.split(':')
      if (state.missingModels.has(id)) return null
      return { Input: state.inputSchemas.get(id) ?? findModel(id)?.inputJsonSchema }
    },
    check: async () => up(),
  }
  return Object.assign(provider, { state })
}
