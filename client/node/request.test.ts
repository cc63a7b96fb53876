import { expect, it } from 'vitest'
import { TASK_WORDS } from '../src/tasks.ts'
import { UsageError } from './errors.ts'
import { taskFlag } from './request.ts'

it.each([
  ['image', 'text-to-image'],
  ['text', 'text-to-text'],
  ['sound', 'text-to-sound'],
])('default: a task has a short and a whole name: %s and %s', (short, whole) => {
  expect([taskFlag(short), taskFlag(whole)]).toEqual([whole, whole])
  expect(TASK_WORDS).toContain(short)
  expect(TASK_WORDS).toContain(whole)
})

it.each(['video', 'IMAGE', 'audio', '', 'constructor'])(
  'error: UsageError for the task "%s" names all words',
  (word) => {
    expect(() => taskFlag(word)).toThrow(UsageError)
    expect(() => taskFlag(word)).toThrow(TASK_WORDS)
  },
)
