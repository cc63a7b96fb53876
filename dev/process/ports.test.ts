import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort, isPortFree } from './ports.ts'

test('behavior: a port that is kept for later is none that the system gives to somebody else meanwhile', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort))
  expect(ports.filter((port) => port >= 20_000)).toEqual([])
  const [port = 0] = ports
  expect(await isPortFree(port)).toBe(true)
  const server = createServer().listen(port, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  expect(await isPortFree(port)).toBe(false)
  await new Promise((resolve) => server.close(resolve))
})
