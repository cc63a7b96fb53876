import { expect, it } from 'vitest'
import { snippetsOf } from '../helpers/snippets.ts'
import { startTestStack } from '../helpers/stack.ts'
import { countPurchases, follow, shareStack } from '../stack/snippets.ts'

// Of a new stack's five buyers the last one has AIC.
shareStack(() => startTestStack({ site: true }))

it('default: client/README.md runs word for word: the command, the library, the MCP server', async () => {
  const snippets = await snippetsOf('client/README.md')
  expect(snippets.length).toBeGreaterThan(6)
  await follow(snippets, 3)
  expect(await countPurchases(3)).toBeGreaterThan(5)
})
