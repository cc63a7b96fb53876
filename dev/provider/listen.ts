import { once } from 'node:events'
import type { Server } from 'node:http'

/** Listens on 127.0.0.1 and returns `http://127.0.0.1:<port>`; port 0 is a free one. */
export async function listen(server: Server, port = 0): Promise<string> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}`
}
