import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

const FILES = ['run.mjs', 'lock-addresses.mjs']
const LOCK = {
  packages: {
    '': {},
    client: { version: '1.0.0' },
    'node_modules/first': { version: '1.2.3', integrity: 'sha512-first' },
    'node_modules/first/node_modules/@scope/second': { version: '2.0.0', integrity: 'sha512-second' },
    'node_modules/alias': { name: '@other/third', version: '3.0.0', integrity: 'sha512-third', optional: true },
  },
}
const CONFIG = { registry: 'https://registry.example/npm/', '@other:registry': 'https://other.example' }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coinslot-run-'))
  mkdirSync(join(folder, 'dev/stack'), { recursive: true })
  for (const file of FILES) cpSync(join(import.meta.dirname, file), join(folder, 'dev', file))
  writeFileSync(join(folder, 'program.mjs'), '')
  writeFileSync(join(folder, 'dev/stack/prepare.ts'), '')
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(LOCK))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Variables that name a program as npm: `npm ci` runs this script. */
function npmThat(ci: string): NodeJS.ProcessEnv {
  const program = join(folder, 'npm.cjs')
  writeFileSync(program, `if (process.argv[2] === 'config') console.log('${JSON.stringify(CONFIG)}')\nelse {${ci}}`)
  return { ...process.env, npm_execpath: program }
}

/** Runs a program in a checkout without packages. */
function runProgram(ci: string) {
  const options = { cwd: folder, env: npmThat(ci), encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dev/run.mjs', 'program.mjs'], options)
  expect(existsSync(join(folder, 'npm-shrinkwrap.json'))).toBe(false)
  return { status, stdout, stderr }
}

it('behavior: a slow install shows its time and how many packages are in place', () => {
  const { status, stdout, stderr } = runProgram(`
    const { mkdirSync, writeFileSync } = require('node:fs')
    mkdirSync('node_modules/first', { recursive: true })
    writeFileSync('node_modules/first/package.json', '{}')
    setTimeout(() => {}, 4_000)`)
  expect([status, stdout]).toEqual([0, ''])
  expect(stderr).toMatch(/Installing what is missing.*\n( {2}… .*\n)* {2}… \d+ s, 1 of 3 packages\n/)
})

it('behavior: npm has the address of each package, and asks for no list of versions', () => {
  const { status } = runProgram("require('node:fs').copyFileSync('npm-shrinkwrap.json', 'seen.json')")
  expect(status).toBe(0)
  const { packages } = JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8'))
  expect(Object.values<{ resolved?: string }>(packages).map(({ resolved }) => resolved)).toEqual([
    undefined,
    undefined,
    'https://registry.example/npm/first/-/first-1.2.3.tgz',
    'https://registry.example/npm/@scope/second/-/second-2.0.0.tgz',
    'https://other.example/@other/third/-/third-3.0.0.tgz',
  ])
})

it('behavior: a registry with other addresses is asked for them', () => {
  const { status, stderr } = runProgram(`
    if (!require('node:fs').existsSync('npm-shrinkwrap.json')) process.exit(0)
    console.error('npm error code E404')
    process.exit(1)`)
  expect(status).toBe(0)
  expect(stderr).toContain('Once more, asking this registry for its addresses')
})

it('behavior: a second command waits for the first, and installs nothing', async () => {
  const env = npmThat(`
    const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require('node:fs')
    appendFileSync('runs', 'run ')
    const timer = setInterval(() => {
      if (!existsSync('go')) return
      mkdirSync('node_modules', { recursive: true })
      writeFileSync('node_modules/.package-lock.json', ${JSON.stringify(JSON.stringify(LOCK))})
      clearInterval(timer)
    }, 20)`)
  const start = () => {
    const child = spawn(process.execPath, ['dev/run.mjs', 'program.mjs'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let printed = ''
    child.stderr.on('data', (chunk) => (printed += String(chunk)))
    return { printed: () => printed, ended: once(child, 'exit') }
  }
  const first = start()
  await expect.poll(() => existsSync(join(folder, 'runs'))).toBe(true)
  const second = start()
  await expect.poll(second.printed).toContain('Another command is installing: waiting for it')
  writeFileSync(join(folder, 'go'), '')
  expect([(await first.ended)[0], (await second.ended)[0]]).toEqual([0, 0])
  expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('run ')
  expect(existsSync(join(folder, '.installing'))).toBe(false)
})

it('behavior: a command that was killed while it installed holds up no other', () => {
  const { pid } = spawnSync(process.execPath, ['--eval', ''])
  writeFileSync(join(folder, '.installing'), `${pid}`)
  expect(runProgram('').status).toBe(0)
})

it.each([
  ['the registry does not answer', 'npm error code ECONNREFUSED', 'The package registry does not answer.'],
  ['the lock does not match', 'npm error code EUSAGE', 'package.json and package-lock.json do not match.'],
  ['the folder is read-only', 'npm error code EROFS', 'node_modules cannot be written.'],
  ['npm fails in another way', 'npm error code ELSE', '`npm ci` failed; its output is above.'],
])('error: %s: exits with 1, npm’s own words and what to do', (_case, words, advice) => {
  const { status, stderr } = runProgram(`console.error(${JSON.stringify(words)}); process.exit(1)`)
  expect(status).toBe(1)
  expect(stderr).toContain(words)
  expect(stderr).toContain(advice)
})

it.each(['SIGTERM', 'SIGHUP'] as const)('error: %s: npm ends too', async (signal) => {
  const state = join(folder, 'state')
  const env = npmThat(`
    const note = (state) => require('node:fs').writeFileSync(${JSON.stringify(state)}, state)
    process.on('SIGTERM', () => { note('ended'); process.exit() })
    setTimeout(() => {}, 30_000)
    note('began')`)
  const child = spawn(process.execPath, ['dev/run.mjs', 'program.mjs'], { cwd: folder, env, stdio: 'ignore' })
  const stateNow = () => (existsSync(state) ? readFileSync(state, 'utf8') : 'not begun')
  await expect.poll(stateNow).toBe('began')
  child.kill(signal)
  await once(child, 'exit')
  await expect.poll(stateNow).toBe('ended')
  expect(existsSync(join(folder, 'npm-shrinkwrap.json'))).toBe(false)
})

/** Runs a program of these lines in a checkout that is installed. */
function installed(lines: string) {
  mkdirSync(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify(LOCK))
  writeFileSync(join(folder, 'program.mjs'), lines)
  return spawn(process.execPath, ['dev/run.mjs', 'program.mjs', '--flag', 'a b'], { cwd: folder, stdio: 'pipe' })
}

it('default: the program has its words, and its exit code is that of the command', async () => {
  const child = installed('process.stdout.write(JSON.stringify(process.argv.slice(2))); process.exitCode = 3')
  let printed = ''
  child.stdout.on('data', (chunk) => (printed += String(chunk)))
  expect((await once(child, 'close'))[0]).toBe(3)
  expect(printed).toBe('["--flag","a b"]')
})

it('behavior: SIGTERM reaches the program, which ends in its own way', async () => {
  const child = installed(
    "process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1e6); console.log('ready')",
  )
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  expect((await once(child, 'exit'))[0]).toBe(7)
})

it('behavior: a lock file that is only newer installs nothing', async () => {
  const child = installed('')
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(LOCK))
  let printed = ''
  child.stderr.on('data', (chunk) => (printed += String(chunk)))
  expect((await once(child, 'close'))[0]).toBe(0)
  expect(printed).toBe('')
})
