import * as z from 'zod'

/** The answers of the calls in the form of OpenAI. One function, so that an isolate that starts builds none of it. */
export function makeOpenaiAnswers(Metrics: z.ZodType) {
  const created = z.int().meta({ description: 'Unix seconds.' })
  const metrics = Metrics

  const OpenaiModel = z.strictObject({
    id: z.string(),
    object: z.literal('model'),
    created: z.int().meta({ description: 'Unix seconds: the day on which its maker published it.' }),
    owned_by: z.string(),
  })
  const OpenaiModelList = z.strictObject({ object: z.literal('list'), data: z.array(OpenaiModel) })

  const OpenaiImages = z.strictObject({
    created,
    data: z.array(z.union([z.strictObject({ url: z.url() }), z.strictObject({ b64_json: z.string() })])),
    metrics,
  })

  const usage = z
    .strictObject({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })
    .meta({ description: 'As the provider counts; where it does not, estimated by the letters.' })
  const finish = z.enum(['stop', 'length'])
  const head = { id: z.string(), created, model: z.string() }
  const choice = { index: z.literal(0), logprobs: z.null() }

  const ChatCompletion = z.strictObject({
    ...head,
    object: z.literal('chat.completion'),
    choices: z.array(
      z.strictObject({
        ...choice,
        message: z.strictObject({ role: z.literal('assistant'), content: z.string(), refusal: z.null() }),
        finish_reason: finish,
      }),
    ),
    usage,
    metrics,
  })
  const delta = z.strictObject({ role: z.literal('assistant').optional(), content: z.string().optional() })
  const ChatCompletionChunk = z
    .strictObject({
      ...head,
      object: z.literal('chat.completion.chunk'),
      choices: z.array(z.strictObject({ ...choice, delta, finish_reason: finish.nullable() })),
      usage: usage.optional(),
      metrics: metrics.optional(),
    })
    .meta({ description: 'One `data` line of a streamed chat completion.' })

  return {
    OpenaiResponse: makeResponse(created, metrics),
    OpenaiModel,
    OpenaiModelList,
    OpenaiImages,
    ChatCompletion,
    ChatCompletionChunk,
  }
}

/** The answer of `POST /v1/responses`. */
function makeResponse(created: z.ZodType, metrics: z.ZodType) {
  const part = z.strictObject({
    type: z.literal('output_text'),
    text: z.string(),
    annotations: z.array(z.never()),
    logprobs: z.array(z.never()),
  })
  const message = z.strictObject({
    id: z.string(),
    type: z.literal('message'),
    role: z.literal('assistant'),
    status: z.enum(['completed', 'incomplete']),
    content: z.array(part),
  })
  return z.strictObject({
    id: z.string(),
    object: z.literal('response'),
    created_at: created,
    status: z.enum(['completed', 'incomplete']),
    error: z.null(),
    incomplete_details: z.strictObject({ reason: z.literal('max_output_tokens') }).nullable(),
    instructions: z.string().nullable(),
    max_output_tokens: z.int().nullable(),
    metadata: z.strictObject({}),
    model: z.string(),
    output: z.array(message),
    parallel_tool_calls: z.literal(false),
    previous_response_id: z.null(),
    store: z.literal(false),
    temperature: z.number().nullable(),
    text: z.strictObject({ format: z.strictObject({ type: z.literal('text') }) }),
    tool_choice: z.literal('none'),
    tools: z.array(z.never()),
    top_p: z.number().nullable(),
    truncation: z.literal('disabled'),
    usage: z.strictObject({
      input_tokens: z.int(),
      input_tokens_details: z.strictObject({ cached_tokens: z.int() }),
      output_tokens: z.int(),
      output_tokens_details: z.strictObject({ reasoning_tokens: z.int() }),
      total_tokens: z.int(),
    }),
    metrics,
  })
}
