import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWalletClient, formatUnits, type Hex, http, parseUnits, publicActions } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { paymentSplitterAbi } from '../../contracts/abi/payment-splitter.ts'
import { treasuryKey } from '../../dev/anvil/accounts.ts'
import { stakeAic } from '../../dev/demo/stake.ts'
import { runSplit } from '../../ops/split/main.ts'
import { readSplitOptions } from '../../ops/split/options.ts'
import type { Buyer } from '../helpers/buyer.ts'
import { runCommand } from '../helpers/command-line.ts'
import { run } from '../helpers/snippets.ts'
import { startTestStack, type TestStack } from '../helpers/stack.ts'

const image = { task: 'text-to-image', model: 'black-forest-labs/flux-schnell', input: { prompt: 'a harbour at dusk' } }
const text = {
  task: 'text-to-text',
  model: 'meta/meta-llama-3-8b-instruct',
  input: { prompt: 'Explain what a tide is' },
}

const ROOT = join(import.meta.dirname, '../..')
const NODE = join(ROOT, 'node_modules/.bin/node')
const DEMO = join(ROOT, 'dev/demo/main.ts')
const resultSchema = z.object({
  output: z.object({ type: z.string() }),
  metrics: z.object({ paymentAsset: z.string() }),
})

let stack: TestStack
beforeAll(async () => {
  stack = await startTestStack()
})
afterAll(() => stack?.stop())

const contract = (name: string): Hex => {
  const address = stack.info.contracts[name]
  if (address === undefined) throw new Error(`the stack has no ${name}`)
  return address
}

const estimate = async (buyer: Buyer, body: unknown): Promise<string> => {
  const response = await buyer.call('/api/inference/estimate', { method: 'POST', body: JSON.stringify(body) })
  return (await response.json()).estimatedCostUsdc
}

describe('AIC on the real stack', () => {
  it('default: 1,000 AIC staked take 10 % off the estimate, the 402, the charge and the row', async () => {
    expect(await estimate(stack.buyer(4), image)).toBe('0.010000')
    await stakeAic(stack.info, stack.buyer(4).account, '1000')
    const buyer = await stack.signedIn(4)
    expect(await estimate(buyer, image)).toBe('0.009000')

    const required = await buyer.quote(image)
    expect(required.accepts[0]?.amount).toBe('9000')
    const response = await buyer.pay(image, await buyer.sign(required))
    const result = await response.json()
    expect([response.status, result.metrics.estimatedCostUsdc, result.metrics.paymentAmount]).toEqual([
      200,
      '0.009000',
      '9000',
    ])
    expect(await stack.transfers()).toEqual([expect.objectContaining({ from: buyer.account.address, value: 9_000n })])
    const row = (await stack.rows('inferences')).find(({ id }) => id === result.id)
    expect(row).toMatchObject({
      staked_aic_at_time: '1000.000000000000000000',
      discount_pct: '10.00',
      effective_rate_usdc: '0.000900000',
      estimated_cost_usdc: '0.009000',
    })
    const account = await (await buyer.call('/api/account')).json()
    expect(account).toMatchObject({ stakedAic: '1000.000000000000000000', discountPct: '10.00' })
  })

  it('default: a payment in AIC is split, and a fifth of it burned to the unit', async () => {
    const buyer = await stack.signedIn(1)
    const wrapped = contract('wrappedAic')
    const required = await buyer.quote(text)
    const entry = required.accepts.find(({ asset }) => asset.toLowerCase() === wrapped.toLowerCase())
    expect(entry).toMatchObject({
      scheme: 'exact',
      network: stack.info.network,
      extra: { version: '1', paymentFlow: 'upfront' },
    })
    const paid = BigInt(entry?.amount ?? 0)
    const response = await buyer.pay(text, await buyer.sign(required, {}, entry))
    const result = await response.json()
    expect([response.status, result.metrics.paymentAsset.toLowerCase()]).toEqual([200, wrapped.toLowerCase()])
    expect(await stack.transfers(wrapped)).toEqual([
      expect.objectContaining({ from: buyer.account.address, value: paid }),
    ])

    const options = await readSplitOptions({ ...stack.env, SPLIT_PRIVATE_KEY: treasuryKey().privateKey })
    expect((await runSplit(stack.database, options, true)).status).toBe('due')
    expect((await runSplit(stack.database, options, false)).status).toBe('split')
    expect((await runSplit(stack.database, options, false)).status).toBe('nothing_due')
    const client = createWalletClient({ transport: http(stack.info.rpcUrl) }).extend(publicActions)
    const burned = await client.readContract({
      address: contract('splitter'),
      abi: paymentSplitterAbi,
      functionName: 'totalBurned',
      args: [wrapped],
    })
    expect(burned).toBe((paid * 2_000n) / 10_000n)
    const stats = await (await stack.buyer(0).call('/api/stats')).json()
    expect(parseUnits(stats.aicBurnedAmount, 18)).toBe(burned)
    expect(parseUnits(stats.aicSettled, 18)).toBe(paid)
  })

  it('default: the demo stakes, pays for each task in AIC and prints three JSON lines', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'coinslot-demo-'))
    const stackFile = join(folder, 'stack.json')
    await writeFile(stackFile, JSON.stringify(stack.info))
    const env = { COINSLOT_STACK_FILE: stackFile, XDG_STATE_HOME: folder }
    const args = [DEMO, '--pay', 'aic', '--stake', '100', '--json', '--seed', '7', '--out', join(folder, 'out')]
    const { code, stdout, stderr } = await run(NODE, args, folder, env)
    expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
    const results = stdout
      .trimEnd()
      .split('\n')
      .map((line) => resultSchema.parse(JSON.parse(line)))
    expect(results.map(({ output }) => output.type)).toEqual(['image', 'text', 'audio'])
    const wrapped = contract('wrappedAic').toLowerCase()
    expect(new Set(results.map(({ metrics }) => metrics.paymentAsset.toLowerCase()))).toEqual(new Set([wrapped]))
    for (const line of [
      /staked 100 AIC/,
      /text-to-image · .* USDC for about/,
      /✓ signed, no gas needed +\d/,
      /✓ here it is/,
    ])
      expect(stderr).toMatch(line)
    await rm(folder, { recursive: true })
  })

  it('error: the command line says what to wrap where AIC is there and wrapped AIC is not', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'coinslot-wrap-'))
    const buyer = await stack.signedIn(stack.info.buyers.length - 1)
    const { account } = buyer
    const env = {
      ...{ COINSLOT_ORIGIN: stack.info.origin, XDG_STATE_HOME: folder },
      COINSLOT_PRIVATE_KEY: stack.info.buyers.at(-1)?.privateKey,
    }
    const wrapped = contract('wrappedAic')
    const known = ['--aic-token', wrapped, '--chain-id', String(stack.info.chainId)]
    const all = formatUnits(await stack.balance(account.address, wrapped), 18)
    const undone = await runCommand(['wrap', all, '--undo', ...known, '--rpc', stack.info.rpcUrl], env)
    expect(undone).toMatchObject({ code: 0 })
    expect(await stack.balance(account.address, wrapped)).toBe(0n)
    // The worker keeps a balance for seconds, and a busy machine may answer without one.
    const shown = async () => (await (await buyer.call('/api/account')).json()).balances.aic
    await expect.poll(shown, { interval: 500 }).toMatch(/^0\.0+$/)
    const pay = ['--pay', 'aic', '--max-aic', '10', ...known]
    const { code, stderr } = await runCommand(['run', 'a tide', '--task', 'text-to-text', ...pay], env)
    const hint = /Nothing was signed: wrap ([\d.]+) of its AIC first\.\n {2}.*coinslot wrap \1\n/
    expect([code, stderr]).toEqual([4, expect.stringMatching(hint)])
    await rm(folder, { recursive: true })
  })
})
