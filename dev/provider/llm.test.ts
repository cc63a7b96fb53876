import { createServer } from 'node:http'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../process/service.ts'
import { readBody } from './http.ts'
import { startTestProvider, TEXT } from './testing.ts'

let asked: unknown
const model = createServer(async (request, response) => {
  if (request.url === '/v1/models') {
    response.end('{"data":[{"id":"tiny"}]}')
    return
  }
  asked = { path: request.url, ...JSON.parse(await readBody(request)) }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  // Cut in the middle of a line and of a letter, as it happens in networks.
  const events = ['One ', 'lämp', ''].map((content) => JSON.stringify({ choices: [{ delta: { content } }] }))
  const stream = Buffer.from([...events, '[DONE]'].map((data) => `data: ${data}\n\n`).join(''))
  const cut = stream.indexOf(0xc3) + 1
  response.write(stream.subarray(0, cut), () => setImmediate(() => response.end(stream.subarray(cut))))
})
const localLlmUrl = await listen(model)
afterAll(() => {
  model.closeAllConnections()
  model.close()
})
const { post } = await startTestProvider({ localLlmUrl })

it('behavior: texts come from the OpenAI-compatible server if one is configured', async () => {
  const input = { ...TEXT.input, max_tokens: 40, system_prompt: 'Be brief.', temperature: 0.3 }
  const answer = await (await post('/predictions', { ...TEXT, input }, { prefer: 'wait' })).json()
  expect(answer).toMatchObject({ status: 'succeeded', output: ['One ', 'lämp'], metrics: { output_token_count: 2 } })
  expect(asked).toEqual({
    path: '/v1/chat/completions',
    model: 'tiny',
    stream: true,
    max_tokens: 40,
    temperature: 0.3,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: TEXT.input.prompt },
    ],
  })
})
