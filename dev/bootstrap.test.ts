import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

const BOOTSTRAP = join(import.meta.dirname, 'bootstrap.mjs')
const LOCK = {
  packages: {
    '': {},
    'node_modules/first': {},
    'node_modules/second': {},
    'node_modules/of-another-platform': { optional: true },
  },
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coinslot-bootstrap-'))
  mkdirSync(join(folder, 'dev/stack'), { recursive: true })
  cpSync(BOOTSTRAP, join(folder, 'dev/bootstrap.mjs'))
  writeFileSync(join(folder, 'dev/stack/prepare.ts'), '')
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(LOCK))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the bootstrap in a checkout without packages, with this script as npm. */
function bootstrap(npm: string) {
  const script = join(folder, 'npm.cjs')
  writeFileSync(script, npm)
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dev/bootstrap.mjs'], {
    cwd: folder,
    env: { ...process.env, npm_execpath: script },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

it('behavior: a slow install shows its time and how many packages are in place', () => {
  const { status, stdout, stderr } = bootstrap(`
    const { mkdirSync, writeFileSync } = require('node:fs')
    mkdirSync('node_modules/first', { recursive: true })
    writeFileSync('node_modules/first/package.json', '{}')
    setTimeout(() => {}, 4_000)`)
  expect([status, stdout]).toEqual([0, ''])
  expect(stderr).toMatch(/Installing what is missing.*\n( {2}… .*\n)* {2}… \d+ s, 1 of 2 packages\n/)
})

it.each([
  ['the registry does not answer', 'npm error code ECONNREFUSED', 'The package registry does not answer.'],
  ['the lock does not match', 'npm error code EUSAGE', 'package.json and package-lock.json do not match.'],
  ['the folder is read-only', 'npm error code EROFS', 'node_modules cannot be written.'],
  ['npm fails in another way', 'npm error code ELSE', '`npm ci` failed; its output is above.'],
])('error: %s: exits with 1, npm’s own words and what to do', (_case, words, advice) => {
  const { status, stderr } = bootstrap(`console.error(${JSON.stringify(words)}); process.exit(1)`)
  expect(status).toBe(1)
  expect(stderr).toContain(words)
  expect(stderr).toContain(advice)
})

it.each(['SIGTERM', 'SIGHUP'] as const)('error: %s: npm ends too', async (signal) => {
  const script = join(folder, 'npm.cjs')
  const state = join(folder, 'state')
  writeFileSync(
    script,
    `const note = (state) => require('node:fs').writeFileSync(${JSON.stringify(state)}, state)
    process.on('SIGTERM', () => { note('ended'); process.exit() })
    setTimeout(() => {}, 30_000)
    note('began')`,
  )
  const env = { ...process.env, npm_execpath: script }
  const child = spawn(process.execPath, ['dev/bootstrap.mjs'], { cwd: folder, env, stdio: 'ignore' })
  const stateNow = () => (existsSync(state) ? readFileSync(state, 'utf8') : 'not begun')
  await expect.poll(stateNow).toBe('began')
  child.kill(signal)
  await once(child, 'exit')
  await expect.poll(stateNow).toBe('ended')
})
