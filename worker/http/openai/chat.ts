import type { Model } from '../../domain/models/model.ts'
import { type ChatBody, stopsOf } from '../openapi/openai-requests.ts'
import { inputFor, invalidMember, numberInput, purchaseRequest } from './model-inputs.ts'

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
type TextOptions = Partial<
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
export function textRequest(id: string, member: string, turns: readonly Turn[], options: TextOptions) {
  const system = turns.filter(({ role }) => role === 'system')
  const spoken = turns.filter(({ role }) => role !== 'system')
  return purchaseRequest('text-to-text', id, promptOf(member, spoken), (model) => ({
    ...systemOf(model, member, system, spoken),
    ...optionInputs(model, options),
  }))
}

/** The last user message, after the earlier turns as `role: content` lines. */
function promptOf(member: string, turns: readonly Turn[]): string {
  const last = turns.at(-1)
  if (last?.role !== 'user') throw invalidMember(member, 'The last message must be of the role `user`.')
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

function optionInputs(model: Model, options: TextOptions): Record<string, number> {
  const unset = (what: string) => `The ${what} of this model cannot be set.`
  const { limit } = options
  const inputs = NUMBERS.map(({ what, ...number }) =>
    numberInput(model, { ...number, value: options[number.member], refusal: unset(what) }),
  )
  return Object.assign(
    numberInput(model, { ...limit, purpose: 'tokens', isLimit: true, refusal: unset('length of the answers') }),
    ...inputs,
  )
}
