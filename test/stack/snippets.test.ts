import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { verifyOutputs, verifyReceipt } from '../../client/node/receipt.ts'
import type { Buyer } from '../helpers/buyer.ts'
import { run, runSnippet, type Snippet, snippetsOf } from '../helpers/snippets.ts'
import { startTestStack, type TestStack } from '../helpers/stack.ts'

const ROOT = join(import.meta.dirname, '../..')
const COINSLOT = join(ROOT, 'client/cli/main.ts')

let stack: TestStack
beforeAll(async () => {
  stack = await startTestStack()
})
afterAll(() => stack?.stop())

/** Variables that a document asks its reader to set before its first block. */
type Asked = readonly ('ORIGIN' | 'PRIVATE_KEY')[]

/** A folder as a clone has it beside `npm start`: packages are found above it, and the running stack's file in it. */
async function openFolder(buyer: number, asked: Asked = []) {
  const parent = join(ROOT, '.coinslot')
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, 'snippets-'))
  const info = { ...stack.info, buyers: stack.info.buyers.slice(buyer) }
  await mkdir(join(folder, '.coinslot/out'), { recursive: true })
  await writeFile(join(folder, '.coinslot/stack.json'), JSON.stringify(info))
  const known = { ORIGIN: stack.info.origin, PRIVATE_KEY: stack.info.buyers[buyer]?.privateKey ?? '' }
  const env = {
    COINSLOT_STACK_FILE: join(folder, '.coinslot/stack.json'),
    XDG_STATE_HOME: join(folder, 'state'),
    ...Object.fromEntries(asked.map((name) => [name, known[name]])),
  }
  return { folder, env, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Runs all blocks of a document as one buyer; each must end well. Returns what they printed. */
async function follow(snippets: readonly Snippet[], buyer: number, asked?: Asked): Promise<string[]> {
  const { folder, env, remove } = await openFolder(buyer, asked)
  const printed: string[] = []
  try {
    for (const snippet of snippets) {
      const { code, stdout, stderr } = await runSnippet(snippet, folder, env)
      expect([snippet.place, code, code === 0 ? '' : stdout + stderr]).toEqual([snippet.place, 0, ''])
      printed.push(stdout)
    }
    return printed
  } finally {
    await remove()
  }
}

const historySchema = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      status: z.literal('succeeded'),
      output: z.union([z.object({ text: z.string() }), z.object({ urls: z.array(z.string()) })]),
    }),
  ),
})
type Purchase = z.infer<typeof historySchema>['items'][number]

async function purchasesOf(buyer: Buyer): Promise<Purchase[]> {
  return historySchema.parse(await (await buyer.call('/api/inferences?limit=100')).json()).items
}

async function outputsOf({ output }: Purchase): Promise<Uint8Array[]> {
  if ('text' in output) return [new TextEncoder().encode(output.text)]
  return Promise.all(output.urls.map(async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer())))
}

/** The command verifies a receipt, the delivered bytes and the chain. */
async function verifyByCommand(json: string, outputs: readonly Uint8Array[]): Promise<void> {
  const { folder, remove } = await openFolder(0)
  const files = outputs.map((_, index) => `output-${index}`)
  const where = ['--origin', stack.info.origin, '--rpc', stack.info.rpcUrl]
  try {
    await writeFile(join(folder, 'receipt.json'), json)
    for (const [index, bytes] of outputs.entries()) await writeFile(join(folder, `output-${index}`), bytes)
    const args = [COINSLOT, 'receipt', '--verify', 'receipt.json', ...where, ...files]
    expect(await run(join(ROOT, 'node_modules/.bin/node'), args, folder, {})).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^signed by +0x\w+\n[\s\S]*is on the chain\n[\s\S]*are those that were delivered/),
    })
  } finally {
    await remove()
  }
}

/** Each receipt is right for its delivered bytes, and wrong with one bit changed; the first is verified by the command too. */
async function verifyReceipts(buyer: Buyer, purchases: readonly Purchase[]): Promise<void> {
  for (const [at, purchase] of purchases.entries()) {
    const json = await (await buyer.call(`/api/inference/${purchase.id}/receipt`)).text()
    const outputs = await outputsOf(purchase)
    if (at === 0) await verifyByCommand(json, outputs)
    const { receipt } = await verifyReceipt(JSON.parse(json))
    expect(() => verifyOutputs(receipt, outputs)).not.toThrow()
    const [first = new Uint8Array()] = outputs
    const middle = Math.floor(first.length / 2)
    const changed = first.with(middle, (first[middle] ?? 0) ^ 1)
    expect(() => verifyOutputs(receipt, [changed, ...outputs.slice(1)])).toThrow('output 1 is not what was delivered')
  }
}

/** Runs a document; then it must have bought `count` things, paid once for each, with receipts that hold. */
async function expectPurchases(
  snippets: readonly Snippet[],
  index: number,
  count: number,
  asked?: Asked,
): Promise<string[]> {
  const printed = await follow(snippets, index, asked)
  const buyer = await stack.signedIn(index)
  const purchases = await purchasesOf(buyer)
  expect(purchases).toHaveLength(count)
  const paid = (await stack.transfers()).filter(({ from }) => from === buyer.account.address)
  expect(paid).toHaveLength(count)
  await verifyReceipts(buyer, purchases)
  return printed
}

/** Lines that are not blank. */
const linesOf = (snippet: Snippet | undefined): number =>
  (snippet?.code ?? '').split('\n').filter((line) => line.trim() !== '').length

describe('what is published runs, word for word', () => {
  it('default: README.md: the command, the library', async () => {
    const snippets = await snippetsOf('README.md')
    expect(snippets.map(({ language }) => language)).toEqual(['sh', 'ts'])
    expect(linesOf(snippets[1])).toBeLessThanOrEqual(12)
    const [, bought] = await expectPurchases(snippets, 4, 2)
    expect(bought).toContain("type: 'image'")
  })

  it('default: docs/buying.md: the stock x402 client, curl, OpenAI and MCP clients', async () => {
    const snippets = await snippetsOf('docs/buying.md')
    expect(snippets.map(({ language }) => language)).toEqual(['sh', 'js', 'sh', 'js', 'sh', 'ts', 'sh', 'js', 'sh'])
    expect([snippets[1]?.file, linesOf(snippets[1])]).toEqual(['buy.mjs', 12])
    expect(snippets[1]?.code).toContain('wrapFetchWithPayment(wrapFetchWithSIWx(fetch, account), client)')
    const [estimate, , bought, , files, , said, , written] = await expectPurchases(snippets, 0, 4)
    expect(estimate).toMatch(/\{"estimatedCostUsdc":"0\.\d{6}","estimatedSeconds":[\d.]+\}/)
    expect(bought).toMatch(/status: 'succeeded'/)
    expect(files).toMatch(/bicycle\.webp\n.*receipt\.json/)
    expect([said, written]).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/\w/)])
  })

  it('default: /llms.txt: a whole purchase with nothing but viem', async () => {
    const [printed = ''] = await expectPurchases(await snippetsOf('web/public/llms.txt'), 1, 1, [
      'ORIGIN',
      'PRIVATE_KEY',
    ])
    expect(JSON.parse(printed)).toMatchObject({ status: 'succeeded', output: { type: 'image' } })
  })

  it('default: /docs: a look around with curl, a purchase with @x402/fetch', async () => {
    const [looked, bought] = await expectPurchases(await docsPageSnippets(stack.info.origin), 2, 1, ['PRIVATE_KEY'])
    expect(looked?.slice(-100)).toMatch(/\{"estimatedCostUsdc":"0\.\d{6}","estimatedSeconds":[\d.]+\}/)
    expect(bought).toMatch(/status: 'succeeded'/)
  })

  it('default: client/README.md: the command, the library, the MCP server', async () => {
    const snippets = await snippetsOf('client/README.md')
    expect(snippets.length).toBeGreaterThan(6)
    await follow(snippets, 3)
    const buyer = await stack.signedIn(3)
    const purchases = await purchasesOf(buyer)
    expect(purchases.length).toBeGreaterThan(5)
    const paid = (await stack.transfers()).filter(({ from }) => from === buyer.account.address)
    expect(paid).toHaveLength(purchases.length)
    await verifyReceipts(buyer, purchases)
  }, 300_000)
})

const examplesSchema = z.object({ curl: z.string(), fetch: z.string() })

/** The examples of the page, as it shows them at that origin. */
async function docsPageSnippets(origin: string): Promise<Snippet[]> {
  const file = join(ROOT, 'web/src/messages/examples.ts')
  expect(await readFile(join(ROOT, 'web/src/routes/docs.tsx'), 'utf8')).toContain("from '../messages/examples.ts'")
  const script = `import { curlExample, fetchExample } from ${JSON.stringify(file)}
    const origin = ${JSON.stringify(origin)}
    process.stdout.write(JSON.stringify({ curl: curlExample(origin), fetch: fetchExample(origin) }))`
  const told = await run(join(ROOT, 'node_modules/.bin/node'), ['--input-type=module', '-e', script], ROOT, {})
  const examples = examplesSchema.parse(JSON.parse(told.stdout))
  return [
    { place: '/docs curl', language: 'sh', code: examples.curl },
    { place: '/docs fetch', language: 'js', code: examples.fetch },
  ]
}
