import * as z from 'zod'

const chunkSchema = z.object({
  choices: z.array(z.object({ delta: z.object({ content: z.string().nullish() }).optional() })),
})
const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })) })

/** Inputs with the same name and meaning on both sides. */
const PASSED_ON = ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty']

/** The pieces of a streamed answer of an OpenAI-compatible server (`POST …/chat/completions`). */
export async function* streamChat(
  server: string,
  prompt: string,
  input: Record<string, unknown>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const base = server.replace(/\/+$/, '')
  const api = base.endsWith('/v1') ? base : `${base}/v1`
  const limit = input['max_tokens'] ?? input['max_completion_tokens']
  const system = input['system_prompt']
  const response = await fetch(`${api}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: await firstModel(api, signal),
      stream: true,
      messages: [
        ...(typeof system === 'string' && system !== '' ? [{ role: 'system', content: system }] : []),
        { role: 'user', content: prompt },
      ],
      ...(typeof limit === 'number' ? { max_tokens: limit } : {}),
      ...Object.fromEntries(PASSED_ON.flatMap((name) => (name in input ? [[name, input[name]]] : []))),
    }),
    signal,
  })
  if (!response.ok || !response.body) throw new Error(`the language model server answered ${response.status}`)
  for await (const line of lines(response.body)) {
    if (!line.startsWith('data:') || line.includes('[DONE]')) continue
    const piece = chunkSchema.parse(JSON.parse(line.slice(5))).choices[0]?.delta?.content
    if (piece) yield piece
  }
}

async function firstModel(api: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(`${api}/models`, { signal })
  const models = modelsSchema.safeParse(response.ok ? await response.json() : undefined)
  return models.data?.data[0]?.id ?? 'default'
}

async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    yield* parts
  }
  yield rest
}
