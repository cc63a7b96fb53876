import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { openState } from '../../client/node/state.ts'
import { freePort } from '../../dev/process/ports.ts'
import { type Ended, runCommand, stopCommand } from '../helpers/command-line.ts'
import { faults, type PartProxy, type ProxiedCall, startProxy } from '../helpers/proxy.ts'
import { borrowTestStack, type TestStack } from '../helpers/stack.ts'

let stack: TestStack
/** Between the command line and the service. */
let proxy: PartProxy
/** The price of a picture now, in units of USDC. */
let price: number
let folder: string
let env: NodeJS.Dict<string>

beforeAll(async () => {
  stack = await borrowTestStack()
  proxy = await startProxy({ target: () => stack.info.origin })
  const { accepts } = await (await stack.signedIn()).quote({
    task: 'text-to-image',
    model: 'black-forest-labs/flux-schnell',
    input: { prompt: 'a pier' },
  })
  price = Number(accepts[0]?.amount)
})
afterAll(async () => {
  await proxy?.close()
  await stack?.stop()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinslot-command-'))
  const { origin, buyers } = stack.info
  const variables = { COINSLOT_ORIGIN: origin, COINSLOT_VIA: proxy.url, COINSLOT_PRIVATE_KEY: buyers[0]?.privateKey }
  env = { PATH: process.env['PATH'], XDG_STATE_HOME: folder, ...variables }
  return () => rm(folder, { recursive: true, force: true })
})

const inUsdc = (units: number): string => (units / 1e6).toFixed(6)
const coinslot = (args: string[], input?: string): Promise<Ended> => runCommand(args, env, input)
const keptSchema = z.array(z.looseObject({ id: z.string() }))
const listed = async () => keptSchema.parse(JSON.parse((await coinslot(['payments', '--json'])).stdout))
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
  const restore = proxy.spoil(isPaid(), faults.cut(false), Number.POSITIVE_INFINITY)
  const ended = await coinslot(['run', 'a pier', '--timeout', '1', '--json', '--quiet'])
  restore()
  expect(ended.code).toBe(6)
  return JSON.parse(ended.stderr).error.paymentId
}

describe('a wallet without money', () => {
  let address: string
  beforeEach(() => {
    const key = generatePrivateKey()
    env['COINSLOT_PRIVATE_KEY'] = key
    address = privateKeyToAddress(key)
  })

  it('error: exit code 4 names the address to send USDC to; nothing is signed or kept', async () => {
    const { code, stderr } = await coinslot(['run', 'a pier'])
    expect(code).toBe(4)
    expect(stderr).toContain(
      `${address} needs ${inUsdc(price)} USDC on Local chain, and has 0.000000. Nothing was signed`,
    )
    expect(stderr).not.toContain('signed, no gas needed')
    expect(await listed()).toEqual([])
  })

  it('error: exit code 3 when the balance is unknown; the payment can be listed and deleted', async () => {
    const restore = proxy.spoil(isAccount, faults.error(503), Number.POSITIVE_INFINITY)
    const refused = await coinslot(['run', 'a pier'])
    restore()
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('payment_rejected')])
    expect(refused.stderr).toContain('Nothing was charged.')
    expect(await listed()).toMatchObject([{ amount: String(price), request: { input: { prompt: 'a pier' } } }])
    expect((await coinslot(['run', '--resume'])).code).toBe(3)
    const id = (await listed())[0]?.id ?? ''
    const early = await coinslot(['payments', '--forget', id])
    expect([early.code, early.stderr]).toEqual([2, expect.stringContaining(`${id} may still be charged until 20`)])
    expect((await coinslot(['payments', '--forget', id, '--force'])).stdout).toBe(`${id} is deleted\n`)
    expect(await listed()).toEqual([])
    expect((await coinslot(['doctor'])).stdout).toContain('every payment has its result')
  })
})

describe('kept payments', () => {
  it('default: they are listed with amount, validity and prompt, and resume delivers them', async () => {
    const id = await leftWithPayment()
    const { stdout, stderr } = await coinslot(['payments'])
    expect(stdout).toMatch(new RegExp(`^${id}  ${inUsdc(price)} USDC  valid until [-0-9: ]+ UTC  a pier\n$`))
    expect(stderr).toBe('continue: coinslot run --resume\ndelete one: coinslot payments --forget ID\n')
    const doctor = await coinslot(['doctor'])
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining('see `coinslot payments`')])
    expect((await coinslot(['run', '--resume', id])).code).toBe(0)
    expect(await listed()).toEqual([])
    expect((await coinslot(['doctor'])).code).toBe(0)
  })

  it('behavior: an expired one can be deleted without --force', async () => {
    const id = await leftWithPayment()
    const state = openState(join(folder, 'coinslot/state.db'))
    state.database.prepare('update payments set valid_before = ?').run(Math.floor(Date.now() / 1_000) - 61)
    state.close()
    expect((await coinslot(['payments'])).stdout).toContain('expired at')
    expect((await coinslot(['payments', '--forget', id])).stdout).toBe(`${id} is deleted\n`)
    expect(await listed()).toEqual([])
  })

  it('behavior: Ctrl-C says what is kept, and the next run uses it', async () => {
    const restore = proxy.spoil(isPaid(), faults.cut(false), Number.POSITIVE_INFINITY)
    const stopped = await stopCommand(['run', 'a pier', '--json'], env, 'signed, no gas needed')
    restore()
    expect(stopped.code).toBe(130)
    const id = (await listed())[0]?.id ?? ''
    expect(JSON.parse(stopped.stderr.trimEnd().split('\n').at(-1) ?? '')).toEqual({
      error: { name: 'StoppedError', message: expect.stringContaining('The signed payment is kept'), paymentId: id },
    })
    expect((await coinslot(['run', 'a pier'])).stderr).toContain('continuing with the payment that is kept')
    expect(await listed()).toEqual([])
  })

  it('error: exit code 2 for a payment that is not kept, and nothing is deleted', async () => {
    const id = await leftWithPayment()
    const { code, stderr } = await coinslot(['payments', '--forget', id, 'another', '--force'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('No payment another is kept here')])
    expect(await listed()).toHaveLength(1)
  })
})

describe('before anything is signed', () => {
  const kept = async () => [await listed(), (await stack.transfers()).length]

  it.each([
    [
      'a model of another task',
      ['--task', 'text', '--model', 'black-forest-labs/flux-schnell'],
      'is for text-to-image',
    ],
    ['a file that exists', ['--out', import.meta.filename], 'this file exists. Nothing was signed.'],
    ['a result that could not be written', ['--out', '/dev/null/pier.webp'], 'nothing can be written there'],
  ])('error: exit code 2 for %s', async (_, flags, words) => {
    const [, before] = await kept()
    const { code, stderr } = await coinslot(['run', 'a pier', ...flags])
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
    expect(await kept()).toEqual([[], before])
  })

  it('error: exit code 5 in seconds, with the reason, when nothing listens', async () => {
    const port = await freePort()
    const { code, stderr } = await coinslot(['run', 'a pier', '--via', `http://127.0.0.1:${port}`])
    expect([code, stderr]).toEqual([5, expect.stringContaining('did not answer (ECONNREFUSED)')])
  })

  it('error: exit code 3 where a page answers instead of the service', async () => {
    const page: typeof isAccount = ({ path }) => path === '/api/models'
    const restore = proxy.spoil(page, faults.error(200))
    const { code, stderr } = await coinslot(['models'])
    restore()
    expect([code, stderr]).toEqual([3, expect.stringContaining('This is not an answer of Coinslot')])
  })
})

describe('the MCP server', () => {
  const message = (id: number, method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id, method, params })
  const hello = message(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  })

  it('behavior: calls from before the end of its input are answered, a paid one too', async () => {
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
