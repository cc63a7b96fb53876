import { stopRunning } from './run.ts'
import type { Step, StepResult } from './steps.ts'

export interface FinishedStep extends StepResult {
  name: string
  seconds: number
}

/**
 * Runs the steps of each lane in order, all lanes at the same time, then those of `last`: a lane that has ended takes the next of
 * them. Calls `onFinish` after each. The first step that fails stops the others, whose results are dropped.
 */
export async function runLanes(
  lanes: readonly (readonly Step[])[],
  last: readonly Step[],
  onFinish: (step: FinishedStep) => void,
): Promise<FinishedStep[]> {
  const finished: FinishedStep[] = []
  let hasFailed = false
  const shared = [...last]
  function* inTurn(steps: readonly Step[]): Generator<Step> {
    yield* steps
    for (let next = shared.shift(); next !== undefined; next = shared.shift()) yield next
  }
  const runLane = async (steps: readonly Step[]): Promise<void> => {
    for (const step of inTurn(steps)) {
      if (hasFailed) return
      const began = performance.now()
      const result = await step.run()
      if (hasFailed) return
      const one = { ...result, name: step.name, seconds: (performance.now() - began) / 1_000 }
      finished.push(one)
      onFinish(one)
      if (one.ok) continue
      hasFailed = true
      stopRunning()
    }
  }
  await Promise.all(lanes.map(runLane))
  return finished
}
