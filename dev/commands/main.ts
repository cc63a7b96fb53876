import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Step, stepsOf } from './steps.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Runs one step. Returns its exit code. */
function run({ words: [program = '', ...args], env }: Step): number {
  const [command, before] = existsSync(join(ROOT, program)) ? [process.execPath, [program]] : [program, []]
  const path = `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH']}`
  const options = { cwd: ROOT, env: { ...process.env, ...env, PATH: path }, stdio: 'inherit' } as const
  const { status, error } = spawnSync(command, [...before, ...args], options)
  if (error) throw error
  return status ?? 1
}

try {
  for (const step of stepsOf(process.argv.slice(2))) {
    process.exitCode = run(step)
    if (process.exitCode !== 0) break
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
