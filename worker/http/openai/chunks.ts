import type { StreamMessage } from '../../domain/purchase/views/stream.ts'
import { type Asked, finishOf, textOf, usageOf } from './answers.ts'
import { makeStopCutter } from './stops.ts'

interface Head extends Asked {
  model: string
  /** Unix seconds. */
  created: number
  /** True if the caller wants the usage in a last chunk. */
  showsUsage: boolean
}

type Result = Extract<StreamMessage, { event: 'result' }>

/** Turns the events of a purchase into the data lines of a streamed chat completion. */
export function makeChunks({ model, created, showsUsage, asked, stops }: Head): (message: StreamMessage) => string[] {
  let id = ''
  let received = ''
  const cutter = makeStopCutter(stops)
  const line = (choices: unknown[], more: object = {}): string =>
    JSON.stringify({ id, object: 'chat.completion.chunk', created, model, choices, ...more })
  const delta = (part: object, finish: 'stop' | 'length' | null = null, more: object = {}): string =>
    line([{ index: 0, delta: part, finish_reason: finish, logprobs: null }], more)
  const pieceOf = (content: string): string[] => (content === '' ? [] : [delta({ content })])

  const end = ({ data: { metrics }, record }: Result): string[] => {
    const text = textOf(record)
    // A purchase that ended before, or was followed late, has sent less than all of its text.
    const rest = text.startsWith(received) ? text.slice(received.length) : ''
    return [
      ...pieceOf(cutter.push(rest) + cutter.end()),
      delta({}, finishOf(record, cutter.isCut()), { metrics }),
      ...(showsUsage ? [line([], { usage: usageOf(record, asked) })] : []),
      '[DONE]',
    ]
  }

  return (message) => {
    switch (message.event) {
      case 'settled':
        id = message.data.id
        return [delta({ role: 'assistant', content: '' })]
      case 'token':
        received += message.data.text
        return pieceOf(cutter.push(message.data.text))
      case 'result':
        return end(message)
      case 'pending':
      case 'error':
        return [JSON.stringify(message.data)]
      case 'verified':
      case 'running':
      case 'stored':
        return []
    }
  }
}
