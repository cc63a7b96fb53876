import { expect, it } from 'vitest'
import { snippetsOf } from '../helpers/snippets.ts'
import { countPurchases, follow, shareStack } from '../stack/snippets.ts'

shareStack()

it('default: client/README.md runs word for word: the command, the library, the MCP server', async () => {
  const snippets = await snippetsOf('client/README.md')
  expect(snippets.length).toBeGreaterThan(6)
  await follow(snippets, 3)
  expect(await countPurchases(3)).toBeGreaterThan(5)
})
