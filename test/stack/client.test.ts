import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCoinslot, memoryStore, type RunEvent, SpendCapError, UnfinishedError } from '@coinslot/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLossyProxy } from '../../client/testing/lossy-proxy.ts'
import { COMMAND, type Ended, runCommand } from '../helpers/command-line.ts'
import { startProxy } from '../helpers/proxy.ts'
import { borrowTestStack, type TestStack } from '../helpers/stack.ts'

const image = (prompt: string) => ({
  task: 'text-to-image' as const,
  model: 'black-forest-labs/flux-schnell',
  input: { prompt },
})

let stack: TestStack
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinslot-client-'))
  stack = await borrowTestStack()
})
afterAll(async () => {
  await stack?.stop()
  await rm(folder, { recursive: true, force: true })
})

const keyOf = (buyer: number) => stack.info.buyers[buyer]?.privateKey ?? '0x'
const accountOf = (buyer: number) => privateKeyToAccount(keyOf(buyer))

const envOf = (buyer: number) => ({
  PATH: process.env['PATH'] ?? '',
  XDG_STATE_HOME: join(folder, `state-${buyer}`),
  COINSLOT_ORIGIN: stack.info.origin,
  COINSLOT_PRIVATE_KEY: keyOf(buyer),
})

const coinslot = (buyer: number, args: string[], input = ''): Promise<Ended> => runCommand(args, envOf(buyer), input)

async function mcpClient(buyer: number, args: string[] = []): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [COMMAND, 'mcp', ...args], env: envOf(buyer) }),
  )
  return client
}

/** The first text of a tool's answer. */
function textOf(answer: object): string | undefined {
  const content = 'content' in answer && Array.isArray(answer.content) ? answer.content : []
  return content.find((one) => one.type === 'text')?.text
}

const isFrom = (buyer: number) => (transfer: { from: string | undefined }) => transfer.from === accountOf(buyer).address
const paidBy = async (buyer: number) => (await stack.transfers()).filter(isFrom(buyer)).length

describe('the library on the real stack', () => {
  it('default: a text is quoted, signed once, paid and delivered piece by piece', async () => {
    const client = createCoinslot({ origin: stack.info.origin, account: accountOf(0), maxUsdc: '0.01' })
    const seen: RunEvent[] = []
    const run = client.run({
      task: 'text-to-text',
      model: 'meta/meta-llama-3-8b-instruct',
      input: { prompt: 'What is a lighthouse?' },
    })
    for await (const event of run) seen.push(event)
    const result = await run.result()
    const stages = seen.map(({ event }) => event).filter((event) => event !== 'running' && event !== 'token')
    expect(stages).toEqual(['quoted', 'signed', 'verified', 'settled', 'stored', 'result'])
    const streamed = seen.map((event) => (event.event === 'token' ? event.text : '')).join('')
    expect(result.output).toEqual({ type: 'text', text: streamed })
    expect(await client.get(result.id)).toMatchObject({
      id: result.id,
      status: 'succeeded',
      model: 'meta/meta-llama-3-8b-instruct',
    })
    expect((await client.history({ limit: 1 })).items.map(({ id }) => id)).toEqual([result.id])
    expect(await paidBy(0)).toBe(1)
  })

  it('error: SpendCapError when the entry to sign is above the limit', async () => {
    const client = createCoinslot({ origin: stack.info.origin, account: accountOf(0), maxUsdc: '0.000001' })
    const before = await paidBy(0)
    await expect(client.run(image('a lamp')).result()).rejects.toThrow(SpendCapError)
    expect(await paidBy(0)).toBe(before)
  })

  it('behavior: the next run for the same request continues one that lost its connection', async () => {
    let isCut = false
    const store = memoryStore()
    const cutting = createCoinslot({
      origin: stack.info.origin,
      account: accountOf(1),
      store,
      tries: 2,
      fetch: async (url, init) => {
        const isPaid = new Headers(init.headers).has('Payment-Signature')
        const response = await fetch(url, init)
        if (!isPaid || isCut) return response
        await response.body?.cancel()
        throw new TypeError('cut')
      },
    })
    const failure = await cutting
      .run(image('a bridge'))
      .result()
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(UnfinishedError)
    isCut = true
    const seen: RunEvent['event'][] = []
    for await (const { event } of cutting.run(image('a bridge'))) seen.push(event)
    expect(seen.filter((event) => event === 'resumed' || event === 'signed')).toEqual(['resumed'])
    expect(seen.at(-1)).toBe('result')
    expect(await cutting.unfinished()).toEqual([])
    expect(await paidBy(1)).toBe(1)
  })
})

describe('the command line on the real stack', () => {
  it('default: run writes an image to a file and reports on stderr', async () => {
    const out = join(folder, 'bicycle.webp')
    const { code, stdout, stderr } = await coinslot(2, ['run', '--out', out, 'a', 'red', 'bicycle'])
    expect([code, stdout]).toEqual([0, `${out}\n`])
    expect(stderr).toMatch(/quoted +\d+\.\d\d s +0\.\d{6} USDC/)
    expect(stderr).toMatch(/paid +\d+\.\d\d s +0x[0-9a-f]{64}/)
    expect((await readFile(out)).subarray(8, 12).toString()).toBe('WEBP')
  })

  it('default: run reads its prompt from a pipe and writes the text to stdout', async () => {
    const { code, stdout } = await coinslot(2, ['run', '--task', 'text', '--quiet'], 'What is a lighthouse?\n')
    expect(code).toBe(0)
    expect(stdout).toMatch(/lighthouse/i)
    const { stdout: list } = await coinslot(2, ['history', '--json'])
    expect(JSON.parse(list)).toMatchObject({ items: [{ task: 'text-to-text' }, { task: 'text-to-image' }] })
  })

  it('default: a receipt verifies offline, and fails when one byte of the output changed', async () => {
    const [out, receipt] = [join(folder, 'boat.webp'), join(folder, 'boat.json')]
    const bought = await coinslot(2, ['run', '--out', out, '--json', '--quiet', 'a boat'])
    const got = await coinslot(2, ['receipt', JSON.parse(bought.stdout).id, '--out', receipt])
    expect([got.code, got.stderr]).toEqual([0, expect.stringContaining('the outputs are those that were delivered')])
    const good = await coinslot(2, ['receipt', '--verify', receipt, out])
    expect([good.code, good.stdout]).toEqual([0, expect.stringContaining('are those that were delivered')])
    const bytes = await readFile(out)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    await writeFile(out, bytes)
    expect((await coinslot(2, ['receipt', '--verify', receipt, out])).code).toBe(8)
  })

  it('behavior: the same command continues a run that was killed after signing, and pays once', async () => {
    const before = await paidBy(2)
    const proxy = await startProxy({ target: () => stack.info.origin })
    // The first call asks for the price. The second one pays; it arrives when its sender is dead.
    const hold = proxy.hold(({ method, path }) => method === 'POST' && path === '/api/inference', 'request', 2)
    const args = [COMMAND, 'run', 'a castle', '--via', proxy.url]
    const child = spawn(process.execPath, args, { env: envOf(2), stdio: ['ignore', 'ignore', 'pipe'] })
    let printed = ''
    for await (const piece of child.stderr) {
      printed += piece
      if (!printed.includes('signed, no gas needed')) continue
      await hold.reached
      child.kill('SIGKILL')
    }
    hold.release({ late: true })
    await proxy.close()
    const again = await coinslot(2, ['run', 'a castle'])
    expect([again.code, again.stderr]).toEqual([
      0,
      expect.stringContaining('the payment that is kept for this request'),
    ])
    expect((await coinslot(2, ['run', '--resume'])).stderr).toContain('No payment is kept')
    expect(await paidBy(2)).toBe(before + 1)
  })

  it('error: exit code 4 above --max-usdc and above --budget, and nothing is signed', async () => {
    const before = await paidBy(2)
    const dear = await coinslot(2, ['run', '--max-usdc', '0.000001', 'a lamp'])
    expect([dear.code, dear.stderr]).toEqual([4, expect.stringContaining('Nothing was signed')])
    const spent = await coinslot(2, ['run', '--budget', '0.000010', 'a lamp', '--json', '--quiet'])
    expect([spent.code, JSON.parse(spent.stderr)]).toEqual([
      4,
      { error: expect.objectContaining({ name: 'BudgetError' }) },
    ])
    expect(await paidBy(2)).toBe(before)
  })

  it('error: exit code 3 for what the service refuses, with the member at fault', async () => {
    const { code, stderr } = await coinslot(2, ['run', '--set', 'seed=red', 'a lamp'])
    expect(code).toBe(3)
    expect(stderr).toContain('input.seed')
  })
})

describe("the MCP server, by the SDK's own client", () => {
  it('default: image, text and sound come as content with their permanent links', async () => {
    const client = await mcpClient(3)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'list_models',
      'estimate',
      'status',
      'verify_receipt',
      'generate_image',
      'write_text',
      'speak',
    ])
    const picture = await client.callTool({
      name: 'generate_image',
      arguments: { prompt: 'a sailing boat', maxUsdc: '0.05' },
    })
    expect(picture.content).toEqual([
      { type: 'text', text: expect.stringMatching(/^Permanent link:\n.*\.webp$/) },
      { type: 'image', mimeType: 'image/webp', data: expect.stringMatching(/^UklGR/) },
      expect.objectContaining({ type: 'resource_link', uri: expect.stringMatching(/\.webp$/), mimeType: 'image/webp' }),
    ])
    const text = await client.callTool({ name: 'write_text', arguments: { prompt: 'What is a ferry?' } })
    expect(text.content).toEqual([{ type: 'text', text: expect.stringMatching(/ferry/i) }])
    const sound = await client.callTool({ name: 'speak', arguments: { text: 'Good evening.' } })
    expect(sound.content).toEqual([
      { type: 'text', text: expect.stringMatching(/^Permanent link:\n.*\.wav$/) },
      { type: 'audio', mimeType: 'audio/wav', data: expect.stringMatching(/^UklGR/) },
      expect.objectContaining({ type: 'resource_link', mimeType: 'audio/wav' }),
    ])
    await client.close()
    expect(await paidBy(3)).toBe(3)
  })

  it('error: limit, budget and refusal are tool errors; no argument raises a limit', async () => {
    const before = await paidBy(3)
    const capped = await mcpClient(3, ['--max-usdc', '0.000010'])
    const dear = await capped.callTool({ name: 'generate_image', arguments: { prompt: 'a lamp', maxUsdc: '5' } })
    expect([dear.isError, textOf(dear)]).toEqual([true, expect.stringContaining('more than the limit of 0.000010')])
    await capped.close()
    const client = await mcpClient(3, ['--budget', '0.000020'])
    const broke = await client.callTool({ name: 'write_text', arguments: { prompt: 'What is a lamp?' } })
    expect([broke.isError, textOf(broke)]).toEqual([true, expect.stringContaining('The budget is 0.000020 USDC')])
    const wrong = await client.callTool({ name: 'write_text', arguments: { prompt: 'x', input: { top_k: 'many' } } })
    expect([wrong.isError, textOf(wrong)]).toEqual([true, expect.stringContaining('top_k')])
    await client.close()
    expect(await paidBy(3)).toBe(before)
  })
})

describe('a proxy that loses 30 % of the answers', () => {
  it('behavior: 20 paid calls by library, command line and MCP: 20 results, 20 transfers', {
    timeout: 300_000,
  }, async () => {
    const proxy = await startLossyProxy(stack.info.origin, 0.3, 20)
    const before = await stack.predictions()
    try {
      const client = createCoinslot({
        origin: stack.info.origin,
        account: accountOf(4),
        fetch: (url, init) => fetch(url.replace(stack.info.origin, proxy.url), init),
      })
      const buyers = Array.from({ length: 4 }, async (_, buyer) => {
        const ids: string[] = []
        for (const at of [1, 2, 3]) ids.push((await client.run(image(`boat ${buyer} ${at}`)).result()).id)
        return ids
      })
      const byLibrary = (await Promise.all(buyers)).flat()
      const byCommand: string[] = []
      for (const at of [1, 2, 3, 4]) {
        const { stdout, stderr } = await coinslot(4, ['run', '--via', proxy.url, '--json', `harbour ${at}`])
        expect(stderr).not.toContain('error')
        byCommand.push(JSON.parse(stdout).id)
      }
      const server = await mcpClient(4, ['--via', proxy.url])
      const byTool: unknown[] = []
      for (const at of [1, 2, 3, 4]) {
        const answer = await server.callTool({ name: 'write_text', arguments: { prompt: `What is island ${at}?` } })
        expect(answer.isError).not.toBe(true)
        byTool.push(answer.structuredContent)
      }
      await server.close()
      expect(new Set([...byLibrary, ...byCommand, ...byTool.map((paid) => JSON.stringify(paid))]).size).toBe(20)
    } finally {
      await proxy.close()
    }
    const { answers, lost } = proxy.counts()
    expect(lost / answers).toBeGreaterThan(0.15)
    expect(await paidBy(4)).toBe(20)
    expect((await stack.predictions()) - before).toBe(20)
  })
})
