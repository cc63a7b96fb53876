import { expect, test } from 'vitest'
import { runLanes } from './lanes.ts'
import type { Step, StepResult } from './steps.ts'

const result = (ok: boolean): StepResult => ({ ok, output: '' })

/** A step that ends when the test ends it. */
function makeStep(name: string) {
  const { promise, resolve } = Promise.withResolvers<StepResult>()
  let hasStarted = false
  const step: Step = {
    name,
    run: () => {
      hasStarted = true
      return promise
    },
  }
  return { step, end: (ok = true) => resolve(result(ok)), hasStarted: () => hasStarted }
}

test('default: lanes run side by side, the steps of a lane one after the other', async () => {
  const [lint, unit, stack] = [makeStep('lint'), makeStep('unit'), makeStep('stack')]
  const names: string[] = []
  const all = runLanes([[lint.step, unit.step], [stack.step]], ({ name }) => names.push(name))
  expect([lint.hasStarted(), unit.hasStarted(), stack.hasStarted()]).toEqual([true, false, true])
  lint.end()
  await expect.poll(unit.hasStarted).toBe(true)
  stack.end()
  unit.end()
  expect((await all).every(({ ok }) => ok)).toBe(true)
  expect(names.toSorted()).toEqual(['lint', 'stack', 'unit'])
})

test('behavior: the first step that fails drops the others and starts no more', async () => {
  const [lint, unit, stack] = [makeStep('lint'), makeStep('unit'), makeStep('stack')]
  const all = runLanes([[lint.step, unit.step], [stack.step]], () => undefined)
  lint.end(false)
  stack.end(false)
  expect((await all).map(({ name }) => name)).toEqual(['lint'])
  expect(unit.hasStarted()).toBe(false)
})
