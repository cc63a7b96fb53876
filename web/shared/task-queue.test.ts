import { expect, test, vi } from 'vitest'
import { beginPage, enqueue, nextTask } from './task-queue.ts'

test('default: one part per task, inner parts first; after the first page all at once', async () => {
  const built: string[] = []
  const report = vi.fn()
  vi.stubGlobal('reportError', report)
  enqueue(() => {
    built.push('form')
    enqueue(() => void built.push('button'))
  })
  enqueue(() => {
    throw new Error('a part that is broken')
  })
  enqueue(() => void built.push('footer'))
  for (const soFar of [['form'], ['form', 'button'], ['form', 'button'], ['form', 'button', 'footer']]) {
    await nextTask()
    expect(built).toEqual(soFar)
  }
  await nextTask()
  enqueue(() => void built.push('next page'))
  expect(built.at(-1)).toBe('next page')
  expect(report.mock.calls).toEqual([[new Error('a part that is broken')]])
})

test('behavior: a page that begins later is built in short tasks too', async () => {
  const built: string[] = []
  beginPage()
  for (const part of ['figures', 'form']) enqueue(() => void built.push(part))
  for (const soFar of [[], ['figures'], ['figures', 'form']]) {
    expect(built).toEqual(soFar)
    await nextTask()
  }
  enqueue(() => void built.push('next page'))
  expect(built.at(-1)).toBe('next page')
})

test('behavior: a hidden tab does not wait for timers', async () => {
  vi.stubGlobal('document', { hidden: true })
  const order: string[] = []
  setTimeout(() => order.push('timer'))
  await nextTask().then(() => order.push('page'))
  expect(order).toEqual(['page'])
})
