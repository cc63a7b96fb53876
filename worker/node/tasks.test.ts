import { expect, test } from 'vitest'
import { makeTasks } from './tasks.ts'

test('behavior: idle waits for work added meanwhile, and a failure ends nothing else', async () => {
  const tasks = makeTasks()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  tasks.waitUntil(first.promise.then(() => tasks.waitUntil(second.promise)))
  tasks.waitUntil(Promise.reject(new Error('on purpose')))
  let isIdle = false
  const idle = tasks.idle().then(() => {
    isIdle = true
  })
  first.resolve()
  await expect.poll(() => tasks.count()).toBe(1)
  expect(isIdle).toBe(false)
  second.resolve()
  await idle
  expect(tasks.count()).toBe(0)
})
