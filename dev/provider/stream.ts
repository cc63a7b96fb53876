import type { ServerResponse } from 'node:http'
import type { Store } from './store.ts'
import { isTerminal, type PredictionRecord } from './types.ts'

const IDLE_MS = 30_000

/** Pieces of text as server-sent events, from the one after `lastEventId`; ends with `done` (or `error` first). */
export function streamOutput(
  store: Store,
  record: PredictionRecord,
  response: ServerResponse,
  lastEventId: string,
): void {
  let sent = Number(/:(\d+)$/.exec(lastEventId)?.[1] ?? -1) + 1
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })

  const write = (event: string, id: string, data: string): void => {
    const lines = data.split('\n').map((line) => `data: ${line}\n`)
    response.write(`event: ${event}\nid: ${id}\n${lines.join('')}\n`)
  }
  const finish = (): void => {
    clearTimeout(idle)
    unsubscribe()
    response.end()
  }
  const follow = (): void => {
    idle.refresh()
    const pieces = Array.isArray(record.output) ? record.output : []
    for (; sent < pieces.length; sent += 1) write('output', `${record.createdAt}:${sent}`, String(pieces[sent]))
    if (!isTerminal(record)) return
    if (record.status === 'failed') write('error', `${record.createdAt}:e`, JSON.stringify({ detail: record.error }))
    write('done', `${record.createdAt}:d`, JSON.stringify(reasonOf(record.status)))
    finish()
  }
  const idle = setTimeout(() => {
    response.write(': 408 no output for 30 s\n\n')
    finish()
  }, IDLE_MS)
  const unsubscribe = store.subscribe((changed) => {
    if (changed === record) follow()
  })
  response.on('close', finish)
  follow()
}

function reasonOf(status: string): { reason?: string } {
  if (status === 'failed') return { reason: 'error' }
  return status === 'succeeded' ? {} : { reason: 'canceled' }
}
