import type * as z from 'zod'
import { inferenceAnswers } from './schemas/inference.ts'
import { PaymentRequired, Problem } from './schemas/problem.ts'
import { readAnswers } from './schemas/reads.ts'

const SCHEMAS = { ...inferenceAnswers, ...readAnswers, Problem, PaymentRequired } as const satisfies Record<
  string,
  z.ZodType
>

export type SchemaName = keyof typeof SCHEMAS

/** Every answer's schema by its name in the document. Tests hold real answers to them. */
export const ANSWERS: Readonly<Record<SchemaName, z.ZodType>> = SCHEMAS
