import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CancelledNotificationSchema,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js'

/** Requests that came in and are neither answered nor called off. */
export interface OpenCalls {
  /** Resolves when there is none. */
  over(): Promise<void>
}

/** Watches a transport that is not started yet. The SDK drops the answers of what is under way when it closes. */
export function watchCalls(transport: Transport): OpenCalls {
  const open = new Set<RequestId>()
  let tell = (): void => undefined
  const end = (id: RequestId | undefined): void => {
    if (id !== undefined) open.delete(id)
    if (open.size === 0) tell()
  }

  transport.onmessage = (message) => {
    if (isJSONRPCRequest(message)) open.add(message.id)
    const calledOff = CancelledNotificationSchema.safeParse(message)
    if (calledOff.success) end(calledOff.data.params.requestId)
  }
  const send = transport.send.bind(transport)
  transport.send = async (message, options) => {
    await send(message, options)
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) end(message.id)
  }
  return {
    over: () =>
      new Promise((resolve) => {
        tell = resolve
        end(undefined)
      }),
  }
}
