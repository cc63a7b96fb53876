import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort, holdNextPort, isPortFree } from './ports.ts'

test('behavior: a reserved port is outside the range that the system assigns', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort))
  expect(ports.filter((port) => port >= 20_000)).toEqual([])
})

test('behavior: a port is free until a process listens on it', async () => {
  const port = await freePort()
  expect(await isPortFree(port)).toBe(true)
  const server = createServer().listen(port, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  expect(await isPortFree(port)).toBe(false)
  await new Promise((resolve) => server.close(resolve))
})

test('behavior: two choices at once from one port on hold different ports', async () => {
  const first = await freePort()
  const held = await Promise.all([holdNextPort(first), holdNextPort(first)])
  expect(new Set(held.map(({ port }) => port)).size).toBe(2)
  expect(await isPortFree(first)).toBe(false)
  for (const { release } of held) await release()
  expect(await isPortFree(first)).toBe(true)
})
