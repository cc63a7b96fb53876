import { createServer } from 'node:net'

/** A port of 127.0.0.1 that is free now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('no port was given'))
        else resolve(address.port)
      })
    })
  })
}

/** Whether `port` of 127.0.0.1 can be listened on. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** The first free port from `first` on. Throws when none of the next hundred is. */
export async function nextFreePort(first: number): Promise<number> {
  for (let port = first; port < first + 100 && port <= 65_535; port++) {
    if (await isPortFree(port)) return port
  }
  throw new Error(`no port from ${first} to ${first + 99} is free`)
}
