import { parentPort } from 'node:worker_threads'
import type { Job, JobAnswer } from './pool.ts'
import type { EngineResult } from './result.ts'

// Each engine is loaded at its first job, since a text needs neither the canvas nor the voice.
async function make({ engine, prompt, input, seed }: Job): Promise<EngineResult> {
  switch (engine) {
    case 'picture':
      return (await import('./picture.ts')).paint(prompt, input, seed)
    case 'text':
      return (await import('./text.ts')).write(prompt, input, seed)
    case 'speech':
      return (await import('./speech.ts')).speak(prompt, input)
    case 'music':
      return (await import('./music.ts')).compose(prompt, input, seed)
  }
}

parentPort?.on('message', async (job: Job) => {
  let answer: JobAnswer
  try {
    answer = { id: job.id, result: await make(job) }
  } catch (error) {
    answer = { id: job.id, error: error instanceof Error ? error.message : String(error) }
  }
  parentPort?.postMessage(answer)
})
