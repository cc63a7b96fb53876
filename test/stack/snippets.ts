import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import * as z from 'zod'
import { verifyOutputs, verifyReceipt } from '../../client/node/receipt.ts'
import type { Buyer } from '../helpers/buyer.ts'
import { run, runSnippet, type Snippet } from '../helpers/snippets.ts'
import { borrowTestStack, type TestStack } from '../helpers/stack.ts'

const ROOT = join(import.meta.dirname, '../..')
const COINSLOT = join(ROOT, 'client/cli/main.ts')

let stack: TestStack

/** One stack for the documents of a test file. */
export function shareStack(start: () => Promise<TestStack> = borrowTestStack): void {
  beforeAll(async () => {
    stack = await start()
  })
  afterAll(() => stack?.stop())
}

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
export async function follow(snippets: readonly Snippet[], buyer: number, asked?: Asked): Promise<string[]> {
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

/** Runs a document; then it must have bought `count` things. Returns what its blocks printed. */
export async function expectPurchases(
  snippets: readonly Snippet[],
  index: number,
  count: number,
  asked?: Asked,
): Promise<string[]> {
  const printed = await follow(snippets, index, asked)
  expect(await countPurchases(index)).toBe(count)
  return printed
}

/** How many things a buyer bought: each was paid once, and has a receipt that holds. */
export async function countPurchases(index: number): Promise<number> {
  const buyer = await stack.signedIn(index)
  const purchases = await purchasesOf(buyer)
  const paid = (await stack.transfers()).filter(({ from }) => from === buyer.account.address)
  expect(paid).toHaveLength(purchases.length)
  await verifyReceipts(buyer, purchases)
  return purchases.length
}

const examplesSchema = z.object({ curl: z.string(), fetch: z.string() })

/** The examples of the page, as the running stack's site shows them. */
export async function docsPageSnippets(): Promise<Snippet[]> {
  const file = join(ROOT, 'web/site/src/messages/examples.ts')
  expect(await readFile(join(ROOT, 'web/site/src/routes/docs.tsx'), 'utf8')).toContain("from '../messages/examples.ts'")
  const script = `import { curlExample, fetchExample } from ${JSON.stringify(file)}
    const origin = ${JSON.stringify(stack.info.origin)}
    process.stdout.write(JSON.stringify({ curl: curlExample(origin), fetch: fetchExample(origin) }))`
  const printed = await run(join(ROOT, 'node_modules/.bin/node'), ['--input-type=module', '-e', script], ROOT, {})
  const examples = examplesSchema.parse(JSON.parse(printed.stdout))
  return [
    { place: '/docs curl', language: 'sh', code: examples.curl },
    { place: '/docs fetch', language: 'js', code: examples.fetch },
  ]
}
