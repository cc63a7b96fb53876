import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { createCoinslot } from '../../src/coinslot.ts'
import { serveTools } from './serve.ts'

const initialize = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}
const listModels = { id: 2, method: 'tools/call', params: { name: 'list_models', arguments: {} } }

/** A server whose one answer of the service waits for `release`. */
function start() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>()
  const fetch = async (): Promise<Response> => {
    onAsked()
    await released
    return Response.json({ models: [] })
  }
  const origin = 'https://coinslot.example'
  const coinslot = createCoinslot({ origin, fetch, tries: 1 })
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const served = serveTools({ coinslot, origin, maxUsdc: '0.1' }, stdin, stdout)
  const send = (message: object): boolean => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  return { stdin, stdout, served, send, asked, release }
}

it('behavior: requests that are open at the end of the input are answered', async () => {
  const { stdin, stdout, served, send, asked, release } = start()
  send(initialize)
  send(listModels)
  stdin.end()
  await asked
  release()
  await served
  stdout.end()
  const lines = (await text(stdout)).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).id)).toEqual([1, 2])
  expect(lines[1]).toContain('"models":[]')
})

it('behavior: it ends when its output breaks, whatever is open', async () => {
  const { stdin, stdout, served, send, asked, release } = start()
  send(initialize)
  send(listModels)
  await asked
  stdout.destroy(new Error('EPIPE'))
  await served
  expect(stdin.isPaused()).toBe(true)
  release()
})
