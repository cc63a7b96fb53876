import * as z from 'zod'
import { once } from '../../db/once.ts'
import type { Model } from '../models/model.ts'
import { MAX_ENTRIES } from './body.ts'
import { cannot, inputFor, numberInput, purchaseRequest } from './model-inputs.ts'

const TEXT_ONLY = 'Messages hold text only'
const MAX_STOPS = 4

function makeMessages() {
  const textPart = z.object({ type: z.literal('text', TEXT_ONLY), text: z.string() })
  const refusalPart = z.object({ type: z.literal('refusal', TEXT_ONLY), refusal: z.string() })
  const content = z.union([z.string(), z.array(textPart).max(MAX_ENTRIES)], TEXT_ONLY)
  const answered = z.union(
    [z.string(), z.array(z.discriminatedUnion('type', [textPart, refusalPart], TEXT_ONLY)).max(MAX_ENTRIES)],
    TEXT_ONLY,
  )
  return z
    .array(
      z.discriminatedUnion('role', [
        z.object({ role: z.enum(['system', 'developer', 'user']), content }),
        z.object({ role: z.literal('assistant'), content: answered.nullish(), tool_calls: makeNothing() }),
      ]),
    )
    .min(1)
    .max(MAX_ENTRIES)
}

const makeNothing = () => z.array(z.unknown()).max(0, 'Tools are not supported').nullish()

/** Stop texts, the empty ones left out. */
const stopsOf = (stop: string | string[] | null | undefined): string[] =>
  (typeof stop === 'string' ? [stop] : (stop ?? [])).filter((text) => text !== '')

const makeStop = () =>
  z
    .union([z.string(), z.array(z.string())], 'A text, or a list of them')
    .nullish()
    .refine((stop) => stopsOf(stop).length <= MAX_STOPS, `At most ${MAX_STOPS} texts`)
    .refine((stop) => stopsOf(stop).every((text) => text.isWellFormed()), 'Texts of well-formed Unicode')
    .meta({ description: 'The answer ends before the first of these texts.' })

const makeLimit = () =>
  z
    .number()
    .refine(Number.isInteger, 'A whole number')
    .nullish()
    .meta({ description: 'An upper limit: above the bound of the model, that bound counts.' })

const makeChatBody = () =>
  z.object({
    model: z.string(),
    messages: makeMessages(),
    stream: z.boolean().nullish(),
    stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
    max_tokens: makeLimit(),
    max_completion_tokens: makeLimit(),
    temperature: z.number().nullish(),
    top_p: z.number().nullish(),
    frequency_penalty: z.number().nullish(),
    presence_penalty: z.number().nullish(),
    seed: z.number().nullish(),
    stop: makeStop(),
    n: z.literal(1, 'One choice per call').nullish(),
    logprobs: z.literal(false, 'Answers come without probabilities').nullish(),
    tools: makeNothing(),
    functions: makeNothing(),
    response_format: z.object({ type: z.literal('text', 'Answers are plain text') }).nullish(),
    modalities: z.array(z.literal('text', 'Answers are plain text')).nullish(),
  })
export const chatBody = once(makeChatBody)
export type ChatBody = z.output<ReturnType<typeof makeChatBody>>

/** One message: who said it, and its words. */
export interface Turn {
  role: string
  text: string
}

/** The messages of a body as turns. What an assistant did not say, or refused to say, is an empty turn. */
export const turnsOf = ({ messages }: ChatBody): Turn[] =>
  messages.map(({ role, content }) => ({
    role: role === 'developer' ? 'system' : role,
    text:
      typeof content === 'string' ? content : (content ?? []).flatMap((p) => ('text' in p ? [p.text] : [])).join('\n'),
  }))

/** The texts before which the answer ends. */
export const chatStops = ({ stop }: ChatBody): string[] => stopsOf(stop)

/** How an answer is to be made, by OpenAI's names: what both of its forms of text have in common. */
export type TextWishes = Partial<
  Pick<ChatBody, 'temperature' | 'top_p' | 'frequency_penalty' | 'presence_penalty' | 'seed'>
> & {
  /** The upper limit of tokens, and the member that says it. */
  limit: { member: string; value: number | null | undefined }
}

/** The purchase that a body of `POST /v1/chat/completions` asks for. Throws `invalid_request`. */
export function chatRequest(body: ChatBody) {
  const limit =
    body.max_completion_tokens == null
      ? { member: 'max_tokens', value: body.max_tokens }
      : { member: 'max_completion_tokens', value: body.max_completion_tokens }
  return textRequest(body.model, 'messages', turnsOf(body), { ...body, limit })
}

/** The purchase of an answer to turns, which came in `member`. Throws `invalid_request`. */
export function textRequest(id: string, member: string, turns: readonly Turn[], wishes: TextWishes) {
  const system = turns.filter(({ role }) => role === 'system')
  const spoken = turns.filter(({ role }) => role !== 'system')
  return purchaseRequest('text-to-text', id, promptOf(member, spoken), (model) => ({
    ...systemOf(model, member, system, spoken),
    ...wishesOf(model, wishes),
  }))
}

/** The last user message, after the earlier turns as `role: content` lines. */
function promptOf(member: string, turns: readonly Turn[]): string {
  const last = turns.at(-1)
  if (last?.role !== 'user') throw cannot(member, 'The last message must be of the role `user`.')
  return [...turns.slice(0, -1).map(({ role, text }) => `${role}: ${text}`), last.text].join('\n')
}

/** The system text as the model's own input. A model that has none gets it as a first line of the prompt. */
function systemOf(
  model: Model,
  member: string,
  system: readonly Turn[],
  spoken: readonly Turn[],
): Record<string, string> {
  if (system.length === 0) return {}
  const input = inputFor(model, 'system')
  if (input === null) return { [model.promptField]: promptOf(member, [...system, ...spoken]) }
  return { [input.name]: system.map(({ text }) => text).join('\n') }
}

/** The members that are one number each, and what each sets. */
const NUMBERS = [
  { member: 'temperature', purpose: 'temperature', neutral: 1, what: 'temperature' },
  { member: 'top_p', purpose: 'topP', neutral: 1, what: 'top_p' },
  { member: 'frequency_penalty', purpose: 'frequencyPenalty', neutral: 0, what: 'frequency penalty' },
  { member: 'presence_penalty', purpose: 'presencePenalty', neutral: 0, what: 'presence penalty' },
  { member: 'seed', purpose: 'seed', what: 'seed' },
] as const

function wishesOf(model: Model, wishes: TextWishes): Record<string, number> {
  const unset = (what: string) => `The ${what} of this model cannot be set.`
  const { limit } = wishes
  const inputs = NUMBERS.map(({ what, ...number }) =>
    numberInput(model, { ...number, value: wishes[number.member], refusal: unset(what) }),
  )
  return Object.assign(
    numberInput(model, { ...limit, purpose: 'tokens', isLimit: true, refusal: unset('length of the answers') }),
    ...inputs,
  )
}
