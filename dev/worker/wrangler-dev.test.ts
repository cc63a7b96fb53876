import { expect, it } from 'vitest'
import { lineToShow } from './wrangler-dev.ts'

it.each([
  ['⎔ Local server updated and ready', 'worker reloaded'],
  ['a line that the worker logs', 'a line that the worker logs'],
  [
    '\x1b[31m✘ \x1b[41;31m[\x1b[41;97mERROR\x1b[41;31m]\x1b[0m \x1b[1mBuild failed with 1 error:\x1b[0m',
    '✘ [ERROR] Build failed with 1 error:',
  ],
  ['      worker/index.ts:27:7:', '      worker/index.ts:27:7:'],
])('default: %j is shown without colours', (line, shown) => {
  expect(lineToShow(line)).toBe(shown)
})

it.each([
  '',
  '[wrangler:info] Ready on http://127.0.0.1:21987',
  '[wrangler:info] GET /api/models 200 OK (12ms)',
  '{"level":"info","event":"request","route":"/api/models","status":200}',
  '\x1b[31m✘ [ERROR]\x1b[0m {"level":"error","event":"problem","code":"unauthorized"}',
  'env.SESSION_SECRET ("(hidden)")          Environment Variable      local',
  '⎔ Reloading local server...',
  'Note that there is a newer version of Wrangler available (4.164.0).',
  '  {"timestamp":"1795875834218","level":"error","source":"src/workerd/server/server/entry.rs:169"}',
])('default: %j is only in the log file', (line) => {
  expect(lineToShow(line)).toBeNull()
})
