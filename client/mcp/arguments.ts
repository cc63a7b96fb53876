import * as z from 'zod'
import { parseAmount, USDC_DECIMALS } from '../../protocol/money.ts'
import { isFields, isTooDeep, parseJson } from '../src/json-fields.ts'
import { TASK_WORDS, TASKS, taskNamed } from '../src/tasks.ts'

// The schemas that clients see keep to what the function calls of OpenAI and of Gemini both take: types, descriptions, enums,
// properties. Everything else is checked with `refine`, which is not published.

const isUsdc = (text: string): boolean => /^\d{1,15}(\.\d{1,6})?$/.test(text)

export const usdc = z.string().refine(isUsdc, 'give a decimal string of USDC, e.g. "0.05"')

/** The argument of every tool that names a price. */
export const maxUsdc = usdc
  .optional()
  .describe('The most that this call may cost, in USDC, e.g. "0.05". It cannot raise the limit of the server.')

export const model = z
  .string()
  .optional()
  .describe('Id of the model, from list_models. Default: the first that is open to the wallet.')

/** By its short or its whole name, as on the command line. */
export const task = z
  .enum([...Object.keys(TASKS), ...Object.values(TASKS)])
  .transform(taskNamed)
  .describe(`The task: ${TASK_WORDS}.`)

/** The words to draw, answer or read aloud. */
export const words = (description: string) =>
  z
    .string()
    .refine((text) => text.trim() !== '', 'give at least one word')
    .describe(description)

const isInput = (value: unknown): boolean => isFields(value) && !isTooDeep(value)

/** Further inputs of a model. An object of any members cannot be described to every client, so its JSON is asked for. */
export const input = z
  .preprocess(
    (value) => (isFields(value) ? JSON.stringify(value) : value),
    z.string().refine((text) => isInput(parseJson(text)), 'give a JSON object, e.g. {"seed":7}'),
  )
  .optional()
  .describe('Further inputs of the model as a JSON object, e.g. {"seed":7}. list_models names them.')

/** The members of `input`, as it was checked. */
export function inputFields(text: string | undefined): Record<string, unknown> {
  const value = text === undefined ? {} : parseJson(text)
  return isFields(value) ? value : {}
}

/** Atomic units. */
export const atomic = (amount: string): bigint => parseAmount(amount, USDC_DECIMALS)

/** The lower of what the model asks for and what the server allows, where either limits it. */
export function lower<Cap extends string | undefined>(asked: string | undefined, cap: Cap): string | Cap {
  if (asked === undefined || (cap !== undefined && atomic(asked) >= atomic(cap))) return cap
  return asked
}

const REFERENCE = /(?:^|\/)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\?key=([\w-]{43}))?$/i

/** A purchase: its id, or the `statusUrl` of an answer. Only the id and the key are used: no address is fetched. */
export const reference = z
  .string()
  .refine((text) => REFERENCE.test(text), 'give the id of a purchase, or its statusUrl')
  .transform((text) => {
    const [, id = '', key] = REFERENCE.exec(text) ?? []
    return { id, key }
  })
  .describe('The id of a purchase, or the statusUrl of an answer that was not ready.')

/** A receipt as its JSON text, or as an object. */
export const receipt = z
  .preprocess(
    (value) => (isFields(value) ? JSON.stringify(value) : value),
    z.string().refine((text) => isFields(parseJson(text)), 'give the JSON of a receipt'),
  )
  .transform(parseJson)
  .describe('The receipt as JSON, as the service returned it.')
