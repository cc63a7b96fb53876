import * as z from 'zod'
import { once } from '../../../db/once.ts'

/** Longest list in a body: of messages, of the parts of one message, of anything else. */
export const MAX_ENTRIES = 500
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
export const stopsOf = (stop: string | string[] | null | undefined): string[] =>
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
/** The body of `POST /v1/chat/completions`. */
export const chatBody = once(makeChatBody)
export type ChatBody = z.output<ReturnType<typeof makeChatBody>>

function makeInput() {
  const inputPart = z.object({ type: z.literal('input_text', TEXT_ONLY), text: z.string() })
  const outputPart = z.object({ type: z.literal('output_text', TEXT_ONLY), text: z.string() })
  const refusalPart = z.object({ type: z.literal('refusal', TEXT_ONLY), refusal: z.string() })
  const contentOf = <Part extends z.ZodType>(part: Part) =>
    z.union([z.string(), z.array(part).max(MAX_ENTRIES)], TEXT_ONLY)
  const type = z.literal('message', 'Only messages can be sent').nullish()
  const answered = z.discriminatedUnion('type', [outputPart, refusalPart], TEXT_ONLY)
  const message = z.discriminatedUnion('role', [
    z.object({ type, role: z.enum(['system', 'developer', 'user']), content: contentOf(inputPart) }),
    z.object({ type, role: z.literal('assistant'), content: contentOf(answered).nullish() }),
  ])
  return z.union([z.string(), z.array(message).min(1).max(MAX_ENTRIES)])
}

const makeNoState = () => z.null('Nothing of an earlier call is stored: send the whole conversation').optional()

const makeResponseBody = () =>
  z.object({
    model: z.string(),
    input: makeInput(),
    instructions: z.string().nullish(),
    stream: z.boolean().nullish(),
    max_output_tokens: makeLimit(),
    temperature: z.number().nullish(),
    top_p: z.number().nullish(),
    text: z.object({ format: z.object({ type: z.literal('text', 'Answers are plain text') }).nullish() }).nullish(),
    store: z.boolean().nullish().meta({ description: 'Taken, and answered `false`: no response is stored.' }),
    background: z.literal(false, 'Ask at `statusUrl` for what takes long').nullish(),
    tools: makeNothing(),
    previous_response_id: makeNoState(),
    conversation: makeNoState(),
  })
/** The body of `POST /v1/responses`. */
export const responseBody = once(makeResponseBody)
export type ResponseBody = z.output<ReturnType<typeof makeResponseBody>>

const makeImageBody = () =>
  z.object({
    model: z.string(),
    prompt: z.string(),
    n: z.int().min(1).nullish(),
    size: z.string().nullish().meta({ description: 'Such as `1024x1024`: the nearest shape of the model; or `auto`.' }),
    response_format: z.enum(['url', 'b64_json']).nullish(),
    output_format: z.string().nullish().meta({ description: '`webp`, `png`, `jpeg` or `jpg`, as the model has it.' }),
    stream: z.literal(false, 'Pictures are not streamed').nullish(),
    quality: z.literal('auto', 'The quality cannot be chosen by these names').nullish(),
    style: z.null('The style cannot be chosen by a name: describe it in the prompt').optional(),
    background: z.literal('auto', 'The background cannot be chosen: describe it in the prompt').nullish(),
  })
/** The body of `POST /v1/images/generations`. */
export const imageBody = once(makeImageBody)
export type ImageBody = z.output<ReturnType<typeof makeImageBody>>

const makeSpeechBody = () =>
  z.object({
    model: z.string(),
    input: z.string(),
    voice: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
    speed: z.number().nullish(),
    response_format: z
      .string()
      .nullish()
      .meta({ description: '`mp3`, `wav`, `flac` and others, as the model has it.' }),
    stream_format: z.literal('audio', 'Speech comes as one file').nullish(),
  })
/** The body of `POST /v1/audio/speech`. */
export const speechBody = once(makeSpeechBody)
export type SpeechBody = z.output<ReturnType<typeof makeSpeechBody>>
