import { createServer, type Server } from 'node:http'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { type CallToolResult, InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createCoinslot } from '../../src/coinslot.ts'
import { problem, RESULT, type Scripted, scriptedService } from '../../testing/scripted-service.ts'
import { makeStdioServer } from './serve.ts'

const LATEST = '2025-11-25'
const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', LATEST]

const MODELS = [
  { id: 'a/image', task: 'text-to-image', field: 'prompt' },
  { id: 'a/text', task: 'text-to-text', field: 'prompt' },
  { id: 'a/sound', task: 'text-to-sound', field: 'text' },
].map(({ id, task, field }) => ({
  id,
  task,
  locked: false,
  estimatedCostUsdc: '0.010000',
  inputSchema: { properties: { [field]: {} } },
}))

let store: Server
let origin: string
beforeAll(async () => {
  store = createServer(({ url = '' }, response) => {
    const [, type = '', size = ''] = /^\/(\w+)-(\d+)$/.exec(url) ?? []
    const mime = { webp: 'image/webp', wav: 'audio/wav', svg: 'image/svg+xml' }[type]
    if (mime === undefined) return response.writeHead(404).end()
    return response.writeHead(200, { 'Content-Type': mime }).end(Buffer.alloc(Number(size)))
  })
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve))
  const address = store.address()
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => store.close())

/** A connection to a server whose purchases end as the script says. */
async function connect(script: readonly Scripted[], version = LATEST) {
  const service = scriptedService(script)
  const fetch: typeof service.fetch = async (url, init) =>
    new URL(url).pathname === '/api/models' ? Response.json({ models: MODELS }) : service.fetch(url, init)
  const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
  const coinslot = createCoinslot({ origin, account, fetch, tries: 1 })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await makeStdioServer({ coinslot, origin, maxUsdc: '0.1' }).connect(far)

  const waiting = new Map<unknown, (message: JSONRPCMessage) => void>()
  near.onmessage = (message) => {
    if ('id' in message) waiting.get(message.id)?.(message)
  }
  await near.start()
  let id = 0
  const request = async (method: string, params: Record<string, unknown>): Promise<unknown> => {
    id += 1
    const answered = new Promise<JSONRPCMessage>((resolve) => waiting.set(id, resolve))
    await near.send({ jsonrpc: '2.0', id, method, params })
    const message = await answered
    return 'result' in message ? message.result : message
  }
  const clientInfo = { name: 'test', version: '1' }
  await request('initialize', { protocolVersion: version, capabilities: {}, clientInfo })
  const call = async (name: string, args: Record<string, unknown>): Promise<CallToolResult> =>
    CallToolResultSchema.parse(await request('tools/call', { name, arguments: args }))
  return { ...service, request, call }
}

const media = (type: 'image' | 'audio', ...files: string[]): Scripted => ({
  status: 200,
  body: { ...RESULT, output: { type, urls: files.map((file) => `${origin}/${file}`) } },
})
const writes = (text: string): Scripted => ({ status: 200, body: { ...RESULT, output: { type: 'text', text } } })

const kinds = ({ content }: CallToolResult): string[] => content.map(({ type }) => type)
const firstText = ({ content: [first] }: CallToolResult): string => (first?.type === 'text' ? first.text : '')
const bytes = (result: CallToolResult): number => Buffer.byteLength(JSON.stringify(result))

describe('tools/list', () => {
  const listSchema = z.object({
    tools: z.array(z.looseObject({ name: z.string(), inputSchema: z.record(z.string(), z.unknown()) })),
  })

  /** Every keyword of a schema, with its place. */
  function keywords(schema: unknown, place: string): string[] {
    const entries = Object.entries(z.record(z.string(), z.unknown()).parse(schema))
    return entries.flatMap(([keyword, value]) => {
      const inner = keyword === 'properties' ? Object.entries(z.record(z.string(), z.unknown()).parse(value)) : []
      return [`${place} ${keyword}`, ...inner.flatMap(([name, of]) => keywords(of, `${place}.${name}`))]
    })
  }

  it('behavior: every schema keeps to what OpenAI and Gemini hosts both take', async () => {
    const { request } = await connect([])
    const { tools } = listSchema.parse(await request('tools/list', {}))
    expect(tools.map(({ name }) => name)).toEqual([
      'list_models',
      'estimate',
      'status',
      'verify_receipt',
      'generate_image',
      'write_text',
      'speak',
    ])
    const used = tools.flatMap(({ name, inputSchema }) => keywords(inputSchema, name))
    expect(used.length).toBeGreaterThan(40)
    expect(used.filter((one) => !/ (type|description|enum|properties|required)$/.test(one))).toEqual([])
    const described = tools.flatMap(({ inputSchema }) =>
      Object.values(z.record(z.string(), z.unknown()).parse(inputSchema['properties'])),
    )
    expect(
      described.every((one) => z.object({ type: z.literal('string'), description: z.string() }).safeParse(one).success),
    ).toBe(true)
  })
})

describe('arguments that a host leaves empty', () => {
  it.each(
    ['model', 'input', 'maxUsdc'].flatMap((name) => [
      [name, null],
      [name, ''],
    ]),
  )('error: O6 %s = %j counts as left out', async (name, value) => {
    const { call, sent } = await connect([writes('ok')])
    expect(firstText(await call('write_text', { prompt: 'x', [String(name)]: value }))).toBe('ok')
    expect(sent).toHaveLength(1)
  })

  it.each([null, ''])('error: O6 a misspelled or needed argument that is %j is still refused', async (value) => {
    const { call, sent } = await connect([])
    expect(firstText(await call('write_text', { prompt: 'x', max_usdc: value }))).toContain('no such argument')
    expect((await call('write_text', { prompt: value })).isError).toBe(true)
    expect(firstText(await call('list_models', { ['__proto__']: value, constructor: value }))).toContain('constructor:')
    expect(sent).toEqual([])
  })
})

describe('a purchase as a tool result', () => {
  it.each([
    ['2024-11-05', ['text', 'image'], ['text'], false],
    ['2025-03-26', ['text', 'image'], ['text', 'audio'], false],
    ['2025-06-18', ['text', 'image', 'resource_link'], ['text', 'audio', 'resource_link'], true],
    [LATEST, ['text', 'image', 'resource_link'], ['text', 'audio', 'resource_link'], true],
  ])('behavior: at %s only that version’s content types are sent', async (version, image, audio, hasStructured) => {
    const { call } = await connect([media('image', 'webp-10'), media('audio', 'wav-10')], version)
    const picture = await call('generate_image', { prompt: 'a boat' })
    expect([kinds(picture), picture.structuredContent !== undefined]).toEqual([image, hasStructured])
    expect(kinds(await call('speak', { text: 'Hello.' }))).toEqual(audio)
  })

  it.each(VERSIONS)('behavior: at %s a text block with the permanent links comes first', async (version) => {
    const { call } = await connect([media('image', 'webp-10', 'webp-11')], version)
    const result = await call('generate_image', { prompt: 'a boat' })
    expect(firstText(result)).toBe(`Permanent link:\n${origin}/webp-10\n${origin}/webp-11`)
  })

  it('behavior: structuredContent has the same text, before the bill', async () => {
    const { call } = await connect([writes('A ferry is a ship.'), media('image', 'webp-10')])
    for (const result of [await call('write_text', { prompt: 'x' }), await call('generate_image', { prompt: 'x' })]) {
      expect(Object.keys(result.structuredContent ?? {})[0]).toBe('text')
      expect(result.structuredContent).toMatchObject({ text: firstText(result), id: RESULT.id })
    }
  })

  it.each([
    ['one file of 700 KB', ['webp-700000'], true],
    ['one file above 700 KB', ['webp-700001'], false],
    ['files above 700 KB in sum', ['webp-400000', 'webp-300001'], false],
    ['a file that is not there', ['gone-1'], false],
    ['a file of another type', ['svg-10'], false],
  ])('behavior: %s: below 1 MB, with its links in any case', async (_, files, isInline) => {
    const { call } = await connect([media('image', ...files)])
    const result = await call('generate_image', { prompt: 'a boat' })
    expect([result.isError, kinds(result).includes('image')]).toEqual([undefined, isInline])
    expect(kinds(result).filter((kind) => kind === 'resource_link')).toHaveLength(files.length)
    for (const file of files) expect(firstText(result)).toContain(`${origin}/${file}`)
    expect(bytes(result)).toBeLessThan(1_000_000)
  })

  it.each([
    ['letters', 'x'.repeat(2_000_000)],
    ['characters that JSON writes as six', '\u0001'.repeat(300_000)],
    ['emoji', '👩‍👩‍👧'.repeat(100_000)],
  ])('behavior: a text of many %s is cut, and says how to get all of it', async (_, text) => {
    const { call } = await connect([writes(text)])
    const result = await call('write_text', { prompt: 'x' })
    expect(bytes(result)).toBeLessThan(1_000_000)
    expect(firstText(result)).toContain(`coinslot get ${RESULT.id} --out FILE`)
    expect(firstText(result).isWellFormed()).toBe(true)
  })
})

describe('a failure as a tool result', () => {
  it('error: a refusal is the same in content and structuredContent, text first', async () => {
    const refusal = { code: 'payment_rejected', detail: 'No.', paymentState: 'unused', nextAction: 'sign_new_payment' }
    const { call } = await connect([problem(402, refusal)])
    const result = await call('write_text', { prompt: 'x' })
    expect(result).toMatchObject({ isError: true, structuredContent: { text: firstText(result), problem: refusal } })
    expect(firstText(result)).toContain('Nothing was charged.')
  })

  it.each([
    ['write_text', { prompt: ' ' }, 'prompt: give at least one word'],
    ['write_text', { prompt: 'x', maxUsdc: 'all' }, 'maxUsdc: give a decimal string of USDC'],
    ['write_text', { prompt: 'x', input: 'seed=7' }, 'input: give a JSON object'],
    ['write_text', {}, 'prompt: '],
    ['write_text', { prompt: 'x', max_usdc: '0.01' }, 'max_usdc: this tool has no such argument'],
    ['list_models', { task: 'video' }, 'task: '],
    ['status', { id: 'the last one' }, 'id: give the id of a purchase, or its statusUrl'],
    ['verify_receipt', { receipt: 'signed' }, 'receipt: give the JSON of a receipt'],
  ])('error: %s names the wrong argument, and nothing is asked of the service', async (name, args, words) => {
    const { call, counts } = await connect([])
    const result = await call(name, args)
    expect([result.isError, firstText(result)]).toEqual([true, expect.stringContaining(words)])
    expect(counts()).toEqual({ quotes: 0, signIns: 0, left: 0 })
  })
})

it.each([
  ['image', 'a/image'],
  ['text-to-image', 'a/image'],
  ['text', 'a/text'],
  ['text-to-text', 'a/text'],
  ['sound', 'a/sound'],
  ['text-to-sound', 'a/sound'],
])('behavior: every tool takes the task %s', async (task, id) => {
  const { call } = await connect([])
  expect((await call('list_models', { task })).structuredContent).toMatchObject({ models: [{ id }] })
})

it.each([[{ seed: 7 }], ['{"seed":7}']])('behavior: further inputs may be an object or its JSON: %j', async (input) => {
  const { call, sent } = await connect([writes('ok')])
  expect(firstText(await call('write_text', { prompt: 'x', input }))).toBe('ok')
  expect(sent).toHaveLength(1)
})

it.each([
  ['its id', RESULT.id],
  ['a path', `/api/inference/${RESULT.id}`],
  ['a whole address of any host', `https://elsewhere.example/api/inference/${RESULT.id}?key=${'k'.repeat(43)}`],
])('behavior: status by %s asks the service itself for that record', async (_, id) => {
  const { call, looks } = await connect([writes('ok')])
  expect((await call('status', { id })).structuredContent).toMatchObject({ id: RESULT.id })
  expect(looks).toEqual([`/api/inference/${RESULT.id}`])
})
