import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server'

/** A transport, and the state of its connection as its messages show it. */
export interface TransportWatch {
  transport: Transport
  /** Resolves when every request is answered or cancelled. */
  idle(): Promise<void>
  /** Resolves when the transport is closed. */
  closed: Promise<void>
}

/** Watches a transport that is not started yet. */
export function watchTransport(inner: Transport): TransportWatch {
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>()
  const open = new Set<unknown>()
  let onIdle = (): void => undefined
  const end = (id: unknown): void => {
    open.delete(id)
    if (open.size === 0) onIdle()
  }
  const transport: Transport = {
    start: () => inner.start(),
    send: async (message, options) => {
      try {
        await inner.send(message, options)
      } finally {
        const answered = answeredBy(message)
        if (answered !== undefined) end(answered)
      }
    },
    close: () => inner.close(),
  }
  inner.onmessage = (message, extra) => {
    if (isJSONRPCRequest(message)) open.add(message.id)
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
      end(message.params?.['requestId'])
    transport.onmessage?.(message, extra)
  }
  inner.onerror = (error) => transport.onerror?.(error)
  inner.onclose = () => {
    transport.onclose?.()
    onClosed()
  }
  return {
    transport,
    closed,
    idle: () =>
      new Promise((resolve) => {
        onIdle = resolve
        end(undefined)
      }),
  }
}

/** The request that a message answers. */
const answeredBy = (message: JSONRPCMessage): RequestId | undefined =>
  isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message) ? message.id : undefined
