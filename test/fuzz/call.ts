import { Agent, type IncomingMessage, request } from 'node:http'

/** One request as it goes over the wire; nothing in it is made well-formed on the way. */
export interface Call {
  method: string
  /** With its query, as the request line has it. */
  path: string
  headers: Record<string, string>
  /** Fields that are sent as further lines, also when `headers` has the name already. */
  moreLines?: readonly (readonly [string, string])[]
  body: Buffer | null
}

export interface Reply {
  status: number
  headers: Record<string, string>
  text: string
  ms: number
}

const DEADLINE_MS = 90_000

/** Sends calls as they are over kept connections. Rejects when no answer comes. */
export function makeSender(origin: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const { hostname, port } = new URL(origin)

  const sendBy = (by: Agent | false, call: Call): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now()
      const headers = linesOf(call, `${hostname}:${port}`)
      const options = { agent: by, hostname, port, method: call.method, path: call.path, headers, timeout: DEADLINE_MS }
      const outgoing = request(options, (answer) => {
        readReply(answer, startedAt).then(resolve, reject)
      })
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in 90 s')))
      outgoing.on('error', (error) => {
        // The server closed a kept connection at the moment it was used again: no one read this call.
        if (outgoing.reusedSocket && isReset(error)) sendBy(false, call).then(resolve, reject)
        else reject(error)
      })
      outgoing.end(call.body ?? undefined)
    })
  return { send: (call: Call): Promise<Reply> => sendBy(agent, call), close: () => agent.destroy() }
}

const isReset = (error: Error): boolean => 'code' in error && error.code === 'ECONNRESET'

async function readReply(answer: IncomingMessage, startedAt: number): Promise<Reply> {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value ?? '')])
  return {
    status: answer.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    text: Buffer.concat(chunks).toString('utf8'),
    ms: performance.now() - startedAt,
  }
}

export type Send = ReturnType<typeof makeSender>['send']

/** Names and values by turns: in this form Node sends each field as a separate line. */
function linesOf(call: Call, host: string): string[] {
  const length = call.body === null ? {} : { 'content-length': String(call.body.length) }
  return [...Object.entries({ host, ...call.headers, ...length }), ...(call.moreLines ?? [])].flat()
}

/** The call with its `Cookie` field split into one line per cookie, as HTTP/2 clients and some proxies send it. */
export function withCookieLines(call: Call): Call {
  const { cookie = '', ...headers } = call.headers
  const lines = cookie.split('; ').map((text) => ['cookie', text] as const)
  return { ...call, headers, moreLines: [...(call.moreLines ?? []), ...lines] }
}

const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** A call in a few words. */
export function describeCall({ method, path, headers, moreLines = [], body }: Call): string {
  const shown = [...Object.entries(headers), ...moreLines].map(([name, value]) => `${name}: ${cut(value)}`)
  return `${method} ${path.slice(0, 120)} [${shown.join(' | ')}] ${body?.toString('latin1').slice(0, 200) ?? ''}`
}
