import type { StreamMessage } from '../inference/views/stream.ts'
import { usageOf } from './answers.ts'

interface Head {
  model: string
  /** Unix seconds. */
  created: number
  /** What was asked, for the usage; null where the caller wants none. */
  usageFor: string | null
}

type Result = Extract<StreamMessage, { event: 'result' }>['data']

/** Turns the events of a purchase into the data lines of a streamed chat completion. */
export function makeChunks({ model, created, usageFor }: Head): (message: StreamMessage) => string[] {
  let id = ''
  let sent = ''
  const line = (choices: unknown[], more: object = {}): string =>
    JSON.stringify({ id, object: 'chat.completion.chunk', created, model, choices, ...more })
  const delta = (part: object, finish: 'stop' | null = null, more: object = {}): string =>
    line([{ index: 0, delta: part, finish_reason: finish, logprobs: null }], more)

  const end = ({ output, metrics }: Result): string[] => {
    const text = output?.type === 'text' ? output.text : ''
    // A purchase that ended before, or was followed late, has sent less than all of its text.
    const rest = text.startsWith(sent) ? text.slice(sent.length) : ''
    return [
      ...(rest === '' ? [] : [delta({ content: rest })]),
      delta({}, 'stop', { metrics }),
      ...(usageFor === null ? [] : [line([], { usage: usageOf(usageFor, text) })]),
      '[DONE]',
    ]
  }

  return (message) => {
    switch (message.event) {
      case 'settled':
        id = message.data.id
        return [delta({ role: 'assistant', content: '' })]
      case 'token':
        sent += message.data.text
        return [delta({ content: message.data.text })]
      case 'result':
        return end(message.data)
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
