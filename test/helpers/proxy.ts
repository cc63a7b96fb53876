import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** One request that came through, with what was answered once it was. */
export interface ProxiedCall {
  method: string
  path: string
  /** The request's body as text; binary bodies are not meant to be read. */
  body: string
  answer: { status: number; body: string } | null
}

/** The fault of a call that a rule fits. `forward` says whether the part behind sees the call anyway. */
export type Fault =
  /** Kept before it is passed on, or its answer before it is given, until the hold is released. */
  | { kind: 'hold'; what: 'request' | 'answer'; hold: HoldState }
  | { kind: 'cut'; forward: boolean }
  | { kind: 'silence'; forward: boolean }
  | { kind: 'answer'; forward: boolean; status: number; body: string; contentType: string }

export type Match = (call: ProxiedCall) => boolean

/** A call held at an arrow of the purchase. */
export interface Hold {
  /** Resolves with the call once it is held. */
  reached: Promise<ProxiedCall>
  isReached(): boolean
  /**
   * Lets it continue. A request whose caller has left meanwhile is dropped, as one that never left its sender; with `late` it
   * still arrives, as one that was under way when its sender died.
   */
  release(options?: { late?: boolean }): void
}

interface HoldState {
  take(call: ProxiedCall): void
  released: Promise<{ late: boolean }>
}

interface Rule {
  match: Match
  /** How many fitting calls pass before the first that is met. */
  skip: number
  /** How many are met. */
  times: number
  fault: Fault
}

export interface PartProxy {
  /** Origin of the proxy: paths are passed on below the target's own. */
  url: string
  calls: ProxiedCall[]
  count(match: Match): number
  /** Holds the n-th call that fits (1 = the next). */
  hold(match: Match, what: 'request' | 'answer', nth?: number): Hold
  /** Spoils the next `times` calls that fit; returns how to take that back. */
  spoil(match: Match, fault: Exclude<Fault, { kind: 'hold' }>, times?: number): () => void
  /** Called for each call once it is answered, before the answer is given. */
  onAnswer(listener: (call: ProxiedCall) => void): void
  /** Called for each call as it comes in, before any rule. */
  onCall(listener: (call: ProxiedCall) => void): void
  /** Forgets every call, rule and listener. */
  reset(): void
  close(): Promise<void>
}

/** Shorthands for spoilt answers. */
export const faults = {
  cut: (forward = true): Fault & { kind: 'cut' } => ({ kind: 'cut', forward }),
  silence: (forward = true): Fault & { kind: 'silence' } => ({ kind: 'silence', forward }),
  error: (status = 500, forward = false): Fault & { kind: 'answer' } => ({
    kind: 'answer',
    forward,
    status,
    body: '<html>bad gateway</html>',
    contentType: 'text/html',
  }),
  json: (body: unknown, { status = 200, forward = false } = {}): Fault & { kind: 'answer' } => ({
    kind: 'answer',
    forward,
    status,
    body: JSON.stringify(body),
    contentType: 'application/json',
  }),
}

/** Hop-by-hop headers, and the length, which is set again. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length'])

/**
 * A proxy before one part of the stack, for `--via`. It passes `Host` on as it came (the store's signatures cover it) and
 * whole messages only, so that a call is either not seen, seen, or answered. With `files`, addresses of the provider's file
 * server in answers are rewritten to lead through this proxy too.
 */
export async function startProxy(options: { target: () => string; files?: boolean }): Promise<PartProxy> {
  const rules = makeRules()
  const calls: ProxiedCall[] = []
  const onCall: ((call: ProxiedCall) => void)[] = []
  const onAnswer: ((call: ProxiedCall) => void)[] = []

  const rewrite = (text: string): string =>
    options.files === true ? text.replace(FILE_ORIGIN, (_, port: string) => `${url}/at/${port}/files/`) : text

  const server = createServer(async (incoming, outgoing) => {
    const call: ProxiedCall = { method: incoming.method ?? '', path: incoming.url ?? '/', body: '', answer: null }
    try {
      const bytes = await buffer(incoming)
      if (isText(incoming)) call.body = bytes.toString('utf8')
      calls.push(call)
      for (const listener of onCall) listener(call)
      await play(rules.take(call), {
        call,
        bytes,
        incoming,
        outgoing,
        target: options.target(),
        rewrite,
        listeners: onAnswer,
      })
    } catch {
      outgoing.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  const url = `http://127.0.0.1:${address.port}`
  return {
    url,
    calls,
    count: (match) => calls.filter(match).length,
    hold(match, what, nth = 1) {
      const { hold, state } = makeHold()
      rules.add({ match, skip: nth - 1, times: 1, fault: { kind: 'hold', what, hold: state } })
      return hold
    },
    spoil: (match, fault, times = 1) => rules.add({ match, skip: 0, times, fault }),
    onAnswer: (listener) => void onAnswer.push(listener),
    onCall: (listener) => void onCall.push(listener),
    reset() {
      rules.clear()
      for (const list of [calls, onCall, onAnswer]) list.length = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The rules in force. A call gets the fault of the first rule that matches it. */
function makeRules() {
  const rules: Rule[] = []
  const remove = (rule: Rule): void => {
    if (rules.includes(rule)) rules.splice(rules.indexOf(rule), 1)
  }
  return {
    /** Adds a rule and returns the way to remove it. */
    add(rule: Rule): () => void {
      rules.push(rule)
      return () => remove(rule)
    },
    clear(): void {
      rules.length = 0
    },
    take(call: ProxiedCall): Fault | null {
      const rule = rules.find((candidate) => {
        if (!candidate.match(call)) return false
        if (candidate.skip === 0) return true
        candidate.skip -= 1
        return false
      })
      if (rule === undefined) return null
      rule.times -= 1
      if (rule.times === 0) remove(rule)
      return rule.fault
    },
  }
}

interface Exchange {
  call: ProxiedCall
  bytes: Buffer
  incoming: IncomingMessage
  outgoing: ServerResponse
  target: string
  rewrite(text: string): string
  listeners: ((call: ProxiedCall) => void)[]
}

interface Answer {
  status: number
  headers: string[]
  bytes: Buffer
}

const FILE_ORIGIN = /http:\/\/127\.0\.0\.1:(\d+)\/files\//g
/** `/at/PORT/…` is a file of the server at that port. */
const FILE_PATH = /^\/at\/(\d+)(\/.*)$/

const isText = ({ headers }: IncomingMessage): boolean =>
  !/^(image|audio|application\/octet)/.test(headers['content-type'] ?? '')

async function play(fault: Fault | null, exchange: Exchange): Promise<void> {
  const { call, outgoing } = exchange
  if (fault?.kind === 'hold' && fault.what === 'request') {
    fault.hold.take(call)
    const { late } = await fault.hold.released
    if (outgoing.destroyed && !late) return
  }
  const answer = fault === null || fault.kind === 'hold' || fault.forward ? await forward(exchange) : null
  if (fault?.kind === 'hold' && fault.what === 'answer') {
    fault.hold.take(call)
    await fault.hold.released
  }
  if (fault?.kind === 'cut') return void outgoing.destroy()
  if (fault?.kind === 'silence' || outgoing.destroyed) return
  if (fault?.kind === 'answer') {
    outgoing.writeHead(fault.status, { 'content-type': fault.contentType }).end(fault.body)
  } else if (answer !== null) {
    give(call, outgoing, answer)
  }
}

function give(call: ProxiedCall, outgoing: ServerResponse, { status, headers, bytes }: Answer): void {
  // An answer to HEAD has the length of the body it leaves out.
  const length = call.method === 'HEAD' ? [] : ['content-length', String(bytes.length)]
  outgoing.writeHead(status, [...headers, ...length])
  outgoing.end(call.method === 'HEAD' ? undefined : bytes)
}

/** Sends the call on and reads the whole answer. */
function forward({ call, bytes, incoming, target, rewrite, listeners }: Exchange): Promise<Answer> {
  const headers = withoutOwn(incoming.rawHeaders)
  if (bytes.length > 0 || incoming.headers['content-length'] !== undefined) {
    headers.push('content-length', String(bytes.length))
  }
  return new Promise((resolve, reject) => {
    const options = { ...placeOf(call, target), method: call.method, headers, agent: false }
    const onward = request(options, (response) => {
      buffer(response).then((body) => {
        const text = isText(response) ? body.toString('utf8') : ''
        call.answer = { status: response.statusCode ?? 0, body: text }
        for (const listener of listeners) listener(call)
        const own = withoutOwn(response.rawHeaders)
        const length = response.headers['content-length']
        if (call.method === 'HEAD' && length !== undefined) own.push('content-length', length)
        const given = text === '' ? body : Buffer.from(rewrite(text))
        resolve({ status: response.statusCode ?? 502, headers: own, bytes: given })
      }, reject)
    })
    onward.on('error', reject)
    onward.end(bytes)
  })
}

function placeOf({ path }: ProxiedCall, target: string): { hostname: string; port: string; path: string } {
  const file = FILE_PATH.exec(path)
  if (file !== null) return { hostname: '127.0.0.1', port: file[1] ?? '', path: file[2] ?? '' }
  const { hostname, port } = new URL(target)
  return { hostname, port, path }
}

/** Header names and values in turn, as Node returns and takes them. */
function withoutOwn(raw: readonly string[]): string[] {
  return raw.filter((_, index) => !OWN_HEADERS.has((raw[index - (index % 2)] ?? '').toLowerCase()))
}

function makeHold(): { hold: Hold; state: HoldState } {
  const reached = Promise.withResolvers<ProxiedCall>()
  const released = Promise.withResolvers<{ late: boolean }>()
  let isReached = false
  return {
    hold: {
      reached: reached.promise,
      isReached: () => isReached,
      release: ({ late = false } = {}) => released.resolve({ late }),
    },
    state: {
      take(call) {
        isReached = true
        reached.resolve(call)
      },
      released: released.promise,
    },
  }
}
