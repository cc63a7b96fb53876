import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import * as z from 'zod'
import type { RunningService } from '../../dev/process/service.ts'

/** Calls to each service so far. */
export const countsSchema = z.object({
  supported: z.number(),
  verify: z.number(),
  settle: z.number(),
  create: z.number(),
  file: z.number(),
  put: z.number(),
  database: z.number(),
  rpc: z.number(),
  /** Milliseconds from the last request for the file to the end of the upload after it. */
  copyMs: z.number(),
})
export type StubCounts = z.infer<typeof countsSchema>

export interface StubOptions {
  /** Bytes of the file that a run leaves. */
  fileBytes: number
  kind: 'image' | 'sound'
}

/** Addresses of the stubs, all of one server. */
export interface StubFacts {
  facilitatorUrl: string
  providerUrl: string
  storeUrl: string
  rpcUrl: string
}

export interface Stubs extends RunningService, StubFacts {}

const NO_CALLS: StubCounts = {
  supported: 0,
  verify: 0,
  settle: 0,
  create: 0,
  file: 0,
  put: 0,
  database: 0,
  rpc: 0,
  copyMs: 0,
}
const SUPPORTED = { kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:31337' }], extensions: [], signers: {} }
/** The price's history of a service that has sold nothing. */
const NO_ROWS = { command: 'SELECT', rowCount: 0, rows: [], fields: [], rowAsArray: true }

/** Services that answer at once and do nothing: facilitator, model provider, S3, an empty database, a chain that no call should reach. */
export async function startStubs({ fileBytes, kind }: StubOptions): Promise<Stubs> {
  const counts = { ...NO_CALLS }
  const file = kind === 'image' ? imageFile(fileBytes) : soundFile(fileBytes)
  let made = 0
  let fileAskedAt = 0
  const answers: Record<string, (response: ServerResponse) => void> = {
    'GET /supported': count('supported', () => SUPPORTED),
    'POST /verify': count('verify', () => ({ isValid: true })),
    'POST /settle': count('settle', () => ({
      success: true,
      network: 'eip155:31337',
      transaction: `0x${(++made).toString(16).padStart(64, '0')}`,
    })),
    'POST /v1/predictions': count('create', () => ({
      id: `run${++made}`,
      status: 'succeeded',
      output: [`${origin}/file`],
      metrics: { predict_time: 1.234 },
      created_at: new Date().toISOString(),
    })),
    'GET /file': (response) => {
      counts.file += 1
      fileAskedAt = performance.now()
      response.writeHead(200, { 'content-length': file.length }).end(file)
    },
    'POST /sql': count('database', () => NO_ROWS),
    'POST /rpc': count('rpc', () => ({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'nothing here' } })),
    'GET /counts': (response) => json(response, counts),
  }
  function count(name: Exclude<keyof StubCounts, 'copyMs'>, body: () => unknown) {
    return (response: ServerResponse): void => {
      counts[name] += 1
      json(response, body())
    }
  }
  const put = (response: ServerResponse): void => {
    counts.put += 1
    counts.copyMs = performance.now() - fileAskedAt
    response.writeHead(200, { 'content-length': 0 }).end()
  }
  const notFound = (response: ServerResponse): void => void response.writeHead(404).end()
  const server = createServer((request, response) => {
    const other = request.method === 'PUT' ? put : notFound
    whenRead(request, () => (answers[`${request.method} ${request.url}`] ?? other)(response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  return {
    url: origin,
    facilitatorUrl: origin,
    providerUrl: `${origin}/v1`,
    storeUrl: origin,
    rpcUrl: `${origin}/rpc`,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function json(response: ServerResponse, body: unknown): void {
  const text = JSON.stringify(body)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text)
}

function whenRead(request: IncomingMessage, done: () => void): void {
  request.on('end', done)
  request.resume()
}

/** Bytes that pass for a WebP by their start. */
export function imageFile(bytes: number): Buffer {
  const file = Buffer.alloc(bytes, 1)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(bytes - 8, 4)
  file.write('WEBP', 8, 'latin1')
  return file
}

/** Bytes that pass for an MP3 by their start. */
export function soundFile(bytes: number): Buffer {
  const file = Buffer.alloc(bytes, 1)
  file.write('ID3', 0, 'latin1')
  return file
}
