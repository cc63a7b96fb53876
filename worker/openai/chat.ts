import * as z from 'zod'
import { once } from '../../db/once.ts'
import type { Model } from '../models/model.ts'
import { cannot, inputFor, purchaseRequest } from './model-inputs.ts'

const makeChatBody = () => {
  const textParts = z.array(z.object({ type: z.literal('text', 'Messages hold text only'), text: z.string() }))
  const nothing = z.array(z.unknown()).max(0, 'Tools are not supported').nullish()
  return z.object({
    model: z.string(),
    messages: z
      .array(
        z.object({
          role: z.enum(['system', 'developer', 'user', 'assistant']),
          content: z.union([z.string(), textParts], 'Messages hold text only'),
          tool_calls: nothing,
        }),
      )
      .min(1),
    stream: z.boolean().nullish(),
    stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
    max_tokens: z.int().nullish(),
    max_completion_tokens: z.int().nullish(),
    temperature: z.number().nullish(),
    n: z.literal(1, 'One choice per call').nullish(),
    tools: nothing,
    functions: nothing,
    response_format: z.object({ type: z.literal('text', 'Answers are plain text') }).nullish(),
    modalities: z.array(z.literal('text', 'Answers are plain text')).nullish(),
  })
}
export const chatBody = once(makeChatBody)
export type ChatBody = z.output<ReturnType<typeof makeChatBody>>

interface Turn {
  role: string
  text: string
}

/** The purchase that a body of `POST /v1/chat/completions` asks for. Throws `invalid_request`. */
export function chatRequest(body: ChatBody) {
  const turns = body.messages.map(({ role, content }) => ({
    role: role === 'developer' ? 'system' : role,
    text: typeof content === 'string' ? content : content.map(({ text }) => text).join('\n'),
  }))
  const system = turns.filter(({ role }) => role === 'system')
  const spoken = turns.filter(({ role }) => role !== 'system')
  return purchaseRequest('text-to-text', body.model, promptOf(spoken), (model) => ({
    ...systemOf(model, system, spoken),
    ...tokensOf(model, body.max_completion_tokens ?? body.max_tokens ?? null),
    ...temperatureOf(model, body.temperature ?? null),
  }))
}

/** The last user message, after the earlier turns as `role: content` lines. */
function promptOf(turns: readonly Turn[]): string {
  const last = turns.at(-1)
  if (last?.role !== 'user') throw cannot('messages', 'The last message must be of the role `user`.')
  return [...turns.slice(0, -1).map(({ role, text }) => `${role}: ${text}`), last.text].join('\n')
}

/** The system text as the model's own input. A model that has none gets it as a first line of the prompt. */
function systemOf(model: Model, system: readonly Turn[], spoken: readonly Turn[]): Record<string, string> {
  if (system.length === 0) return {}
  const input = inputFor(model, 'system')
  if (input === null) return { [model.promptField]: promptOf([...system, ...spoken]) }
  return { [input.name]: system.map(({ text }) => text).join('\n') }
}

function tokensOf(model: Model, tokens: number | null): Record<string, number> {
  if (tokens === null) return {}
  const input = inputFor(model, 'tokens')
  if (input === null) throw cannot('max_tokens', 'The length of the answers of this model cannot be set.')
  return { [input.name]: tokens }
}

function temperatureOf(model: Model, temperature: number | null): Record<string, number> {
  if (temperature === null) return {}
  const input = inputFor(model, 'temperature')
  if (input !== null) return { [input.name]: temperature }
  // 1 is what every client means by its default.
  if (temperature !== 1) throw cannot('temperature', 'The temperature of this model cannot be set.')
  return {}
}
