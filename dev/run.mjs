// `node dev/run.mjs FILE …` runs a program of this repository on the Node 24 that `npm ci` installs, and installs it first where that is
// missing. It needs Node 20 or newer: no dependency, no new syntax. Its own output goes to stderr, since stdout belongs to the program.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addAddresses, removeAddresses } from './lock-addresses.mjs'

const OLDEST_NODE = 20
const PROGRESS_EVERY_MS = 3_000
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const OWN_NODE = join(root, 'node_modules/.bin/node')
/** Holds the process id of the command that installs. */
const INSTALLING = join(root, '.installing')
const INSTALLING_BY_THIS = `${INSTALLING}.${process.pid}`
let holdsLock = false

const major = Number(process.versions.node.split('.')[0])
if (major < OLDEST_NODE) {
  fail(
    `Node ${process.versions.node} is too old: Coinslot needs Node ${OLDEST_NODE} or newer to install itself (it brings its own Node 24).\n` +
      'Get one from https://nodejs.org or with your package manager, then run the command again.',
  )
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
const stopInstalling = () => process.exit(1)

if (!isInstalled()) {
  for (const signal of SIGNALS) process.once(signal, stopInstalling)
  await waitForOthers()
  if (!isInstalled()) {
    await install()
    await prepare()
  }
  rmSync(INSTALLING_BY_THIS, { force: true })
  if (holdsLock) rmSync(INSTALLING, { force: true })
  holdsLock = false
  for (const signal of SIGNALS) process.removeListener(signal, stopInstalling)
}
runProgram(process.argv.slice(2))

/** Runs the program in place of this one: its signals and its exit code. */
function runProgram(words) {
  // The local stack takes types out of a module by `stripTypeScriptTypes`, which Node 24 still calls experimental.
  const args = ['--disable-warning=ExperimentalWarning', ...words]
  const child = spawn(existsSync(OWN_NODE) ? OWN_NODE : process.execPath, args, { stdio: 'inherit' })
  // A terminal sends Ctrl-C to both processes. A plain kill reaches only this one.
  for (const signal of SIGNALS) process.on(signal, () => signal !== 'SIGINT' && child.kill(signal))
  child.on('error', (error) => fail(error.message))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal]
  })
}

function fail(text) {
  process.stderr.write(`\n${text}\n`)
  process.exit(1)
}

/** True if the list that npm writes at the end of an installation has what the lock file asks for on every platform. */
function isInstalled() {
  const present = packagesOf('node_modules/.package-lock.json')
  return Object.entries(packagesOf('package-lock.json')).every(
    ([path, { version, optional, devOptional }]) =>
      !path.startsWith('node_modules/') || optional || devOptional || present[path]?.version === version,
  )
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages
  } catch {
    return {}
  }
}

/** Returns when no other command installs in this folder: two at once would delete each other's files. */
async function waitForOthers() {
  process.once('exit', () => rmSync(INSTALLING_BY_THIS, { force: true }))
  try {
    writeFileSync(INSTALLING_BY_THIS, `${process.pid}`)
    for (let isSaid = false; !takes(INSTALLING_BY_THIS); isSaid = true) {
      if (!isSaid) process.stderr.write('Another command is installing: waiting for it …\n')
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    holdsLock = true
    process.once('exit', () => holdsLock && rmSync(INSTALLING, { force: true }))
  } catch {
    // Where no file can be written or linked no command can wait for another. npm says what is wrong.
  }
}

/** Makes `file` the one at `INSTALLING`, whole at once, unless a running command has one there. */
function takes(file) {
  try {
    linkSync(file, INSTALLING)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  try {
    if (!isRunning(Number(readFileSync(INSTALLING, 'utf8')))) rmSync(INSTALLING, { force: true })
  } catch {
    // The other command has just ended.
  }
  return false
}

function isRunning(processId) {
  try {
    // Signal 0 only asks.
    return process.kill(processId, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/**
 * Runs a program and prints a line every few seconds, with what `progress` returns. Resolves with its exit code (null if it
 * did not run) and its output.
 */
function run(what, command, args, progress = () => '') {
  process.stderr.write(`${what} …\n`)
  const began = Date.now()
  const timer = setInterval(() => {
    process.stderr.write(`  … ${duration(Date.now() - began)}${progress()}\n`)
  }, PROGRESS_EVERY_MS)
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    // An npm that outlives this program would disturb the next installation.
    process.once('exit', () => child.kill())
    let output = ''
    const collect = (chunk) => {
      output += chunk
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    const end = (code, text) => {
      clearInterval(timer)
      resolve({ code, output: text.trim() })
    }
    child.on('error', (error) => end(null, `${output}${error.message}`))
    child.on('close', (code) => end(code, output))
  })
}

/** `45 s`, or `2 min 05 s`. */
function duration(ms) {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`
}

/** Counts the packages of the lock file that are in place, without those that other platforms need. */
function countPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const needed = Object.keys(packages).filter((path) => path !== '' && !packages[path].optional)
  const present = () => needed.filter((path) => existsSync(join(root, path, 'package.json'))).length
  return () => `, ${present()} of ${needed.length} packages`
}

async function install() {
  const npm = process.env.npm_execpath
  const [command, prefix] = npm ? [process.execPath, [npm]] : ['npm', []]
  const what = 'Installing what is missing (npm ci, once: about a minute, longer on a busy machine or a slow network)'
  const args = [...prefix, 'ci', '--no-audit', '--no-fund', '--loglevel=error']
  process.once('exit', () => removeAddresses(root))
  addAddresses(root, spawnSync(command, [...prefix, 'config', 'ls', '--json'], { cwd: root, encoding: 'utf8' }).stdout)
  let { code, output } = await run(what, command, args, countPackages())
  if (removeAddresses(root) && /E404/.test(output)) {
    ;({ code, output } = await run('Once more, asking this registry for its addresses', command, args, countPackages()))
  }
  if (code === 0) return
  process.stderr.write(`${output}\n`)
  if (/ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|ERR_SOCKET_TIMEOUT|E50[0-9]/.test(output)) {
    fail(
      'The package registry does not answer. Check the network and any proxy (`npm ping` tries it, `npm config get registry`\n' +
        'prints its address), then run the command again.',
    )
  }
  if (/EUSAGE|can only install packages when your package\.json and package-lock\.json/.test(output)) {
    fail('package.json and package-lock.json do not match. Run `npm install` once, commit the lock, and try again.')
  }
  if (/EACCES|EPERM|EROFS|ENOSPC/.test(output)) {
    fail('node_modules cannot be written. Check who owns the folder and whether the disk is full, then try again.')
  }
  fail('`npm ci` failed; its output is above. Delete node_modules and try again.')
}

/** Makes the database template, the worker's bundle and the site in advance. If that fails, the start makes them and reports why. */
async function prepare() {
  const node = existsSync(OWN_NODE) ? OWN_NODE : process.execPath
  await run('Preparing the database, the worker and the site', node, [join(root, 'dev/stack/prepare.ts')])
}
