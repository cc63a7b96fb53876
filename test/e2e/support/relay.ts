import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import * as z from 'zod'

const callSchema = z.object({
  id: z.union([z.number(), z.string()]),
  method: z.string().optional(),
  params: z
    .object({
      topic: z.string(),
      topics: z.array(z.string()),
      message: z.string(),
      tag: z.number(),
      pairingTopic: z.string(),
      sessionProposal: z.string(),
      sessionTopic: z.string(),
      sessionProposalResponse: z.string(),
      sessionSettlementRequest: z.string(),
    })
    .partial()
    .optional(),
})
type Params = NonNullable<z.output<typeof callSchema>['params']>

interface Message {
  topic: string
  message: string
  tag: number
}

/** Tags of messages that the relay itself publishes. Source: WalletConnect's relay specification. */
const TAG = { propose: 1100, approve: 1101, settle: 1102 }

/** A relay of WalletConnect's protocol on this machine. It passes encrypted messages on by topic, and keeps those that have no reader yet. */
export class Relay {
  private readonly server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  private readonly readers = new Map<string, Set<WebSocket>>()
  private readonly waiting: Message[] = []
  private ids = 0

  constructor() {
    this.server.on('connection', (socket) => {
      socket.on('message', (data) => this.receive(socket, String(data)))
      socket.on('close', () => {
        for (const set of this.readers.values()) set.delete(socket)
      })
    })
  }

  /** Resolves to its address when it listens. */
  async listen(): Promise<string> {
    if (this.server.address() === null) await once(this.server, 'listening')
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    for (const socket of this.server.clients) socket.terminate()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private receive(socket: WebSocket, text: string): void {
    const { id, method, params = {} } = callSchema.parse(JSON.parse(text))
    if (method === undefined) return
    const result = this.answer(socket, method, params)
    socket.send(JSON.stringify({ id, jsonrpc: '2.0', result }))
  }

  private answer(socket: WebSocket, method: string, params: Params): unknown {
    const topics = params.topics ?? (params.topic === undefined ? [] : [params.topic])
    switch (method) {
      case 'irn_subscribe':
        this.subscribe(socket, topics)
        return subscriptionId(topics[0] ?? '')
      case 'irn_batchSubscribe':
        this.subscribe(socket, topics)
        return topics.map(subscriptionId)
      case 'irn_unsubscribe':
      case 'irn_batchUnsubscribe':
        for (const topic of topics) this.readers.get(topic)?.delete(socket)
        return true
      case 'irn_batchFetchMessages':
        return { messages: [], hasMore: false }
      case 'irn_publish':
        return this.publish(socket, params.topic, params.message, params.tag ?? 0)
      case 'wc_proposeSession':
        this.subscribe(socket, [params.pairingTopic ?? ''])
        return this.publish(socket, params.pairingTopic, params.sessionProposal, TAG.propose)
      case 'wc_approveSession':
        this.subscribe(socket, [params.sessionTopic ?? ''])
        this.publish(socket, params.pairingTopic, params.sessionProposalResponse, TAG.approve)
        return this.publish(socket, params.sessionTopic, params.sessionSettlementRequest, TAG.settle)
      default:
        throw new Error(`the relay does not know ${method}`)
    }
  }

  private subscribe(socket: WebSocket, topics: readonly string[]): void {
    for (const topic of topics) {
      this.readers.set(topic, (this.readers.get(topic) ?? new Set()).add(socket))
      for (const message of this.waiting.filter((kept) => kept.topic === topic)) {
        this.waiting.splice(this.waiting.indexOf(message), 1)
        this.deliver(socket, message)
      }
    }
  }

  private publish(from: WebSocket, topic = '', message = '', tag = 0): true {
    const readers = [...(this.readers.get(topic) ?? [])].filter((socket) => socket !== from)
    if (readers.length === 0) this.waiting.push({ topic, message, tag })
    for (const socket of readers) this.deliver(socket, { topic, message, tag })
    return true
  }

  private deliver(socket: WebSocket, { topic, message, tag }: Message): void {
    this.ids += 1
    // An empty attestation: the wallet then does not ask WalletConnect's Verify service.
    const data = { topic, message, tag, publishedAt: Date.now(), attestation: '' }
    const params = { id: subscriptionId(topic), data }
    socket.send(JSON.stringify({ id: this.ids, jsonrpc: '2.0', method: 'irn_subscription', params }))
  }
}

const subscriptionId = (topic: string): string => `subscription-${topic}`
