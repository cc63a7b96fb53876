import * as z from 'zod'

const targetsSchema = z.tuple([z.object({ webSocketDebuggerUrl: z.string() })], z.unknown())
const replySchema = z.object({ id: z.number().optional(), result: z.unknown().optional() })

/** Sends one command of the Chrome DevTools protocol. Resolves with its result. */
export type Command = (method: string, params?: object) => Promise<unknown>

/** Connects to the inspector of a workerd. */
export async function connectInspector(port: number): Promise<{ command: Command; close(): void }> {
  const [{ webSocketDebuggerUrl }] = targetsSchema.parse(await (await fetch(`http://127.0.0.1:${port}/json`)).json())
  const socket = new WebSocket(webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('the inspector does not answer')))
  })
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = replySchema.parse(JSON.parse(String(data)))
    if (id !== undefined) waiting.get(id)?.(result)
  })
  let sent = 0
  const command: Command = (method, params = {}) =>
    new Promise((resolve) => {
      sent += 1
      waiting.set(sent, resolve)
      socket.send(JSON.stringify({ id: sent, method, params }))
    })
  return { command, close: () => socket.close() }
}
