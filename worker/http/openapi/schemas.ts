import type * as z from 'zod'
import { once } from '../../../db/once.ts'
import { makeInferenceAnswers } from './schemas/inference.ts'
import { makeOpenaiAnswers } from './schemas/openai.ts'
import { makeProblems } from './schemas/problem.ts'
import { makeReadAnswers } from './schemas/reads.ts'
import { makeValues } from './schemas/values.ts'

function makeAnswers() {
  const values = makeValues()
  const problems = makeProblems(values)
  const { Problem, PaymentRequired, OpenaiError } = problems
  const inference = makeInferenceAnswers(values, problems)
  return {
    ...inference,
    ...makeOpenaiAnswers(inference.Metrics),
    ...makeReadAnswers(values, problems),
    Problem,
    PaymentRequired,
    OpenaiError,
  }
}

export type SchemaName = keyof ReturnType<typeof makeAnswers>

/** Every answer's schema by its name in the document, built at first use. Tests hold real answers to them. */
export const answers: () => Readonly<Record<SchemaName, z.ZodType>> = once(makeAnswers)
