import { catalogue } from '../../worker/domain/models/catalogue.ts'
import { inputMismatch } from '../../worker/domain/models/input-fit.ts'
import type { Model } from '../../worker/domain/models/model.ts'
import { ProviderError } from '../../worker/upstreams/provider/provider.ts'
import { makeReplicate } from '../../worker/upstreams/provider/replicate.ts'
import { type Check, type Finding, fail, ok, skip, wordsOf } from './finding.ts'

/** Checks that the provider has each model of the catalogue, and takes the inputs that we send. */
export const checkModels: Check = async ({ config, fetch }) => {
  const { readModel } = makeReplicate(config.provider, { fetch })
  const findings: Finding[] = []
  try {
    for (const model of catalogue) findings.push(...faultsOf(model, await readModel(model.providerModel)))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return [...findings, skip('models', `the provider cannot be asked: ${wordsOf(error)}`)]
  }
  return findings.length > 0 ? findings : [ok('models', `all ${catalogue.length} are there and take what we send`)]
}

function faultsOf(model: Model, schemas: Record<string, unknown> | null): Finding[] {
  if (schemas === null) {
    const advice =
      'It is not sold once the scheduled job has noticed. Replace it in worker/domain/models/, or take it out, and deploy.'
    return [fail('models', `the provider does not have ${model.providerModel}`, advice)]
  }
  const { faults, runsFail } = inputMismatch(model.inputJsonSchema, schemas)
  const state = runsFail ? 'It is not sold once the scheduled job has noticed.' : 'It is still sold.'
  return faults.map((fault) =>
    fail('models', `${model.id}: ${fault}`, `${state} Correct the inputs in worker/domain/models/inputs/, and deploy.`),
  )
}
