import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CancelledNotificationSchema,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js'
import * as z from 'zod'

/** The state of a connection, as its messages show it. */
export interface TransportWatch {
  /** Resolves when every request is answered or cancelled. */
  idle(): Promise<void>
  /** The negotiated protocol version; the oldest one before that. */
  version(): string
}

const OLDEST_VERSION = '2024-10-07'

const initializedSchema = z.object({ protocolVersion: z.string(), serverInfo: z.object({}) })

/** Watches a transport that is not started yet. The SDK drops open answers when it closes, and does not expose the version. */
export function watchTransport(transport: Transport): TransportWatch {
  const open = new Set<RequestId>()
  let version = OLDEST_VERSION
  let onIdle = (): void => undefined
  const end = (id: RequestId | undefined): void => {
    if (id !== undefined) open.delete(id)
    if (open.size === 0) onIdle()
  }

  transport.onmessage = (message) => {
    if (isJSONRPCRequest(message)) open.add(message.id)
    const cancelled = CancelledNotificationSchema.safeParse(message)
    if (cancelled.success) end(cancelled.data.params.requestId)
  }
  const send = transport.send.bind(transport)
  transport.send = async (message, options) => {
    if (isJSONRPCResultResponse(message)) {
      const initialized = initializedSchema.safeParse(message.result)
      if (initialized.success) version = initialized.data.protocolVersion
    }
    await send(message, options)
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) end(message.id)
  }
  return {
    version: () => version,
    idle: () =>
      new Promise((resolve) => {
        onIdle = resolve
        end(undefined)
      }),
  }
}
