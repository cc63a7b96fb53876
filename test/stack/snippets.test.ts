import { describe, expect, it } from 'vitest'
import { type Snippet, snippetsOf } from '../helpers/snippets.ts'
import { docsPageSnippets, expectPurchases, shareStack } from './snippets.ts'

shareStack()

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
    const [printed = ''] = await expectPurchases(await snippetsOf('web/site/public/llms.txt'), 1, 1, [
      'ORIGIN',
      'PRIVATE_KEY',
    ])
    expect(JSON.parse(printed)).toMatchObject({ status: 'succeeded', output: { type: 'image' } })
  })

  it('default: /docs: a look around with curl, a purchase with @x402/fetch', async () => {
    const [looked, bought] = await expectPurchases(await docsPageSnippets(), 2, 1, ['PRIVATE_KEY'])
    expect(looked?.slice(-100)).toMatch(/\{"estimatedCostUsdc":"0\.\d{6}","estimatedSeconds":[\d.]+\}/)
    expect(bought).toMatch(/status: 'succeeded'/)
  })
})
