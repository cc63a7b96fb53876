import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Ended, runCommand } from '../helpers/command-line.ts'
import { faults, type PartProxy, type ProxiedCall, startProxy } from '../helpers/proxy.ts'
import { startTestStack, type TestStack } from '../helpers/stack.ts'

let stack: TestStack
/** Between the command line and the service. */
let proxy: PartProxy
let folder: string
let env: NodeJS.Dict<string>

beforeAll(async () => {
  stack = await startTestStack()
  proxy = await startProxy({ target: () => stack.facts.origin })
})
afterAll(async () => {
  await proxy?.close()
  await stack?.stop()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinslot-command-'))
  const { origin, buyers } = stack.facts
  const variables = { COINSLOT_ORIGIN: origin, COINSLOT_VIA: proxy.url, COINSLOT_PRIVATE_KEY: buyers[0]?.privateKey }
  env = { PATH: process.env['PATH'], XDG_STATE_HOME: folder, ...variables }
  return () => rm(folder, { recursive: true, force: true })
})

const coinslot = (args: string[], input?: string): Promise<Ended> => runCommand(args, env, input)
const listed = async (): Promise<unknown[]> => JSON.parse((await coinslot(['payments', '--json'])).stdout)
const isAccount = ({ path }: ProxiedCall): boolean => path === '/api/account'

/** Fits every call that pays: the first one only asks for the price. */
function isPaid(): (call: ProxiedCall) => boolean {
  let calls = 0
  return ({ method, path }) => {
    if (method === 'POST' && path === '/api/inference') calls += 1
    return calls > 1
  }
}

/** Buys where every paid call is cut before the service sees it. */
async function leftWithPayment(): Promise<string> {
  const mend = proxy.spoil(isPaid(), faults.cut(false), Number.POSITIVE_INFINITY)
  const ended = await coinslot(['run', 'a pier', '--timeout', '1', '--json', '--quiet'])
  mend()
  expect(ended.code).toBe(6)
  return JSON.parse(ended.stderr).error.paymentId
}

describe('a wallet without money', () => {
  beforeEach(() => {
    env['COINSLOT_PRIVATE_KEY'] = generatePrivateKey()
  })
  const address = () => privateKeyToAddress(env['COINSLOT_PRIVATE_KEY'] as `0x${string}`)

  it('error: exit code 4 names the address to send USDC to; nothing is signed or kept', async () => {
    const { code, stderr } = await coinslot(['run', 'a pier'])
    expect(code).toBe(4)
    expect(stderr).toContain(`The price is 0.010000 USDC, and ${address()} has 0.000000 on eip155:31337.`)
    expect(stderr).not.toContain('signed, and kept')
    expect(await listed()).toEqual([])
  })

  it('error: exit code 3 where its balance could not be told; the payment can be listed and given up', async () => {
    const mend = proxy.spoil(isAccount, faults.error(503), Number.POSITIVE_INFINITY)
    const refused = await coinslot(['run', 'a pier'])
    mend()
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('payment_rejected')])
    expect(refused.stderr).toContain('Nothing was charged.')
    expect(await listed()).toMatchObject([{ amount: '10000', request: { input: { prompt: 'a pier' } } }])
    expect((await coinslot(['run', '--resume'])).code).toBe(3)
    const [{ id }] = (await listed()) as [{ id: string }]
    expect((await coinslot(['payments', '--forget', id])).stdout).toBe(`${id} is forgotten\n`)
    expect(await listed()).toEqual([])
  })
})

describe('kept payments', () => {
  it('default: they are listed with amount, validity and words, and resume delivers them', async () => {
    const id = await leftWithPayment()
    const { stdout, stderr } = await coinslot(['payments'])
    expect(stdout).toMatch(
      new RegExp(`^${id}  10000 atomic units of ${stack.facts.usdc}  valid until [-0-9: ]+ UTC  a pier\n$`),
    )
    expect(stderr).toBe('go on with them: coinslot run --resume\n')
    const doctor = await coinslot(['doctor'])
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining('see `coinslot payments`')])
    expect((await coinslot(['run', '--resume', id])).code).toBe(0)
    expect(await listed()).toEqual([])
    expect((await coinslot(['doctor'])).code).toBe(0)
  })

  it('error: exit code 2 for a payment that is not kept, and nothing is forgotten', async () => {
    const id = await leftWithPayment()
    const { code, stderr } = await coinslot(['payments', '--forget', id, 'another'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('No payment another is kept here')])
    expect(await listed()).toHaveLength(1)
  })
})

describe('the MCP server', () => {
  const message = (id: number, method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id, method, params })
  const hello = message(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  })

  it('behavior: what was asked before its input ended is answered, a paid call too', async () => {
    const before = (await stack.transfers()).length
    const write = { name: 'write_text', arguments: { prompt: 'What is a pier?' } }
    const list = { name: 'list_models', arguments: { task: 'sound' } }
    const calls = [hello, message(2, 'tools/call', write), message(3, 'tools/call', list)]
    const { code, stdout } = await coinslot(['mcp'], `${calls.join('\n')}\n`)
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line): { id: number; result: unknown } => JSON.parse(line))
    expect([code, answers.map(({ id }) => id).sort()]).toEqual([0, [1, 2, 3]])
    expect(answers.find(({ id }) => id === 2)?.result).toMatchObject({
      content: [{ text: expect.stringMatching(/pier/i) }],
    })
    expect(answers.find(({ id }) => id === 3)?.result).toMatchObject({
      structuredContent: { models: expect.arrayContaining([expect.objectContaining({ task: 'text-to-sound' })]) },
    })
    expect((await stack.transfers()).length).toBe(before + 1)
  })
})
