import type { InferenceRecord } from '../../../db/queries/inference-row.ts'
import type { Payment } from '../../../db/queries/payment-row.ts'
import { metricsOf } from '../../domain/purchase/views/present.ts'
import type { StreamMessage } from '../../domain/purchase/views/stream.ts'
import type { ResponseBody } from '../openapi/openai-requests.ts'
import { finishOf, secondsOf, textOf, usageOf } from './answers.ts'
import { type Turn, textRequest } from './chat.ts'

/** The turns of a body of `POST /v1/responses`; its instructions come first, as system text. */
export function responseTurns({ input, instructions }: ResponseBody): Turn[] {
  const turns = typeof input === 'string' ? [{ role: 'user', content: input }] : input
  const system = instructions == null ? [] : [{ role: 'system', text: instructions }]
  return [...system, ...turns.map(({ role, content }) => turnOf(role, content))]
}

type Content = Exclude<ResponseBody['input'], string>[number]['content']

const turnOf = (role: string, content: Content): Turn => ({
  role: role === 'developer' ? 'system' : role,
  text:
    typeof content === 'string' ? content : (content ?? []).flatMap((p) => ('text' in p ? [p.text] : [])).join('\n'),
})

/** The purchase that a body of `POST /v1/responses` asks for. Throws `invalid_request`. */
export const responseRequest = (body: ResponseBody) =>
  textRequest(body.model, 'input', responseTurns(body), {
    temperature: body.temperature,
    top_p: body.top_p,
    limit: { member: 'max_output_tokens', value: body.max_output_tokens },
  })

/** What an answer repeats of its call. */
const repeated = (body: ResponseBody) => ({
  object: 'response' as const,
  error: null,
  instructions: body.instructions ?? null,
  max_output_tokens: body.max_output_tokens ?? null,
  metadata: {},
  model: body.model,
  parallel_tool_calls: false,
  previous_response_id: null,
  store: false,
  temperature: body.temperature ?? null,
  text: { format: { type: 'text' as const } },
  tool_choice: 'none' as const,
  tools: [],
  top_p: body.top_p ?? null,
  truncation: 'disabled' as const,
})

type State = 'in_progress' | 'completed' | 'incomplete'

const partOf = (text: string) => ({ type: 'output_text' as const, text, annotations: [], logprobs: [] })

const messageOf = (id: string, status: State, parts: readonly ReturnType<typeof partOf>[]) => ({
  id: `msg_${id}`,
  type: 'message' as const,
  role: 'assistant' as const,
  status,
  content: parts,
})

/** The answer of `POST /v1/responses`. Nothing of it is stored beside the purchase's record. */
export function responseAnswer(payment: Payment, record: InferenceRecord, body: ResponseBody) {
  return { ...endOf(record, body), metrics: metricsOf(payment, record) }
}

function endOf(record: InferenceRecord, body: ResponseBody) {
  const status = finishOf(record, false) === 'length' ? 'incomplete' : 'completed'
  const asked = responseTurns(body).map(({ text }) => text)
  const { prompt_tokens, completion_tokens, total_tokens } = usageOf(record, asked.join(''))
  return {
    ...repeated(body),
    id: record.id,
    created_at: secondsOf(record.createdAt),
    status,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' as const } : null,
    output: [messageOf(record.id, status, [partOf(textOf(record))])],
    usage: {
      input_tokens: prompt_tokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: completion_tokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens,
    },
  } as const
}

/** One event of a streamed response. */
interface ResponseEvent {
  event: string
  data: string
}

type Result = Extract<StreamMessage, { event: 'result' }>

/** Turns the events of a purchase into those of a streamed response, numbered from 0. `now` is in Unix seconds. */
export function makeResponseEvents(body: ResponseBody, now: number): (message: StreamMessage) => ResponseEvent[] {
  let id = ''
  let received = ''
  let number = 0
  const event = (type: string, more: object): ResponseEvent => ({
    event: type,
    data: JSON.stringify({ type, sequence_number: number++, ...more }),
  })
  const place = { output_index: 0 }
  const inItem = () => ({ item_id: `msg_${id}`, ...place, content_index: 0 })
  const delta = (text: string): ResponseEvent[] =>
    text === '' ? [] : [event('response.output_text.delta', { ...inItem(), delta: text, logprobs: [] })]

  const begin = (): ResponseEvent[] => {
    const status = 'in_progress' as const
    const open = { ...repeated(body), id, created_at: now, status, incomplete_details: null, output: [], usage: null }
    return [
      event('response.created', { response: open }),
      event('response.in_progress', { response: open }),
      event('response.output_item.added', { ...place, item: messageOf(id, status, []) }),
      event('response.content_part.added', { ...inItem(), part: partOf('') }),
    ]
  }

  const end = ({ data: { metrics }, record }: Result): ResponseEvent[] => {
    const text = textOf(record)
    // A purchase that ended before, or was followed late, has sent less than all of its text.
    const rest = text.startsWith(received) ? text.slice(received.length) : ''
    const response = { ...endOf(record, body), metrics }
    return [
      ...delta(rest),
      event('response.output_text.done', { ...inItem(), text, logprobs: [] }),
      event('response.content_part.done', { ...inItem(), part: partOf(text) }),
      event('response.output_item.done', { ...place, item: response.output[0] }),
      event(`response.${response.status}`, { response }),
    ]
  }

  return (message) => {
    switch (message.event) {
      case 'settled':
        id = message.data.id
        return begin()
      case 'token':
        received += message.data.text
        return delta(message.data.text)
      case 'result':
        return end(message)
      case 'pending':
      case 'error':
        return [event('error', { ...errorOf(message.data), ...Object(message.data) })]
      case 'verified':
      case 'running':
      case 'stored':
        return []
    }
  }
}

/** The members of OpenAI's event `error`. */
function errorOf(data: unknown): object {
  const { code = null, message = '', param = null } = Object(Object(data).error)
  return { code, message, param }
}
