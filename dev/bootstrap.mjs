// Runs before `npm start`, `npm test` and other commands (`pre…` in package.json), on Node 20 or newer: no dependency, no new syntax.
// All output goes to stderr, since stdout belongs to `--json`.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const OLDEST_NODE = 20
const PROGRESS_EVERY_MS = 3_000
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
/** npm reads it in place of `package-lock.json`. It exists only while npm installs. */
const LOCK_WITH_ADDRESSES = join(root, 'npm-shrinkwrap.json')
/** Holds the process id of the command that installs. */
const INSTALLING = join(root, '.installing')

const major = Number(process.versions.node.split('.')[0])
if (major < OLDEST_NODE) {
  fail(
    `Node ${process.versions.node} is too old: Coinslot needs Node ${OLDEST_NODE} or newer to install itself (it brings its own Node 24).\n` +
      'Get one from https://nodejs.org or with your package manager, then run the command again.',
  )
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))

if (!isInstalled()) {
  await waitForOthers()
  if (!isInstalled()) {
    await install()
    await prepare()
  }
}

function fail(text) {
  process.stderr.write(`\n${text}\n`)
  process.exit(1)
}

/** npm writes the first file at the end of an installation. */
function isInstalled() {
  return modifiedAt('node_modules/.package-lock.json') >= modifiedAt('package-lock.json')
}

/** Returns when no other command installs in this folder: two at once would delete each other's files. */
async function waitForOthers() {
  const own = `${INSTALLING}.${process.pid}`
  process.once('exit', () => rmSync(own, { force: true }))
  try {
    writeFileSync(own, `${process.pid}`)
    for (let isSaid = false; !takes(own); isSaid = true) {
      if (!isSaid) process.stderr.write('Another command is installing: waiting for it …\n')
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    process.once('exit', () => rmSync(INSTALLING, { force: true }))
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

function modifiedAt(path) {
  try {
    return statSync(join(root, path)).mtimeMs
  } catch {
    return 0
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
  process.once('exit', removeAddresses)
  addAddresses(spawnSync(command, [...prefix, 'config', 'ls', '--json'], { cwd: root, encoding: 'utf8' }).stdout)
  let { code, output } = await run(what, command, args, countPackages())
  if (removeAddresses() && /E404/.test(output)) {
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

/**
 * Writes the lock file with the address of each package in npm's usual form. The lock itself names no registry, and npm would ask for a
 * list of all versions of each package first, which takes more time than the packages. `npmConfig` is npm's own, as JSON.
 */
function addAddresses(npmConfig) {
  try {
    const config = JSON.parse(npmConfig)
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    for (const [path, entry] of Object.entries(lock.packages)) {
      const name = entry.name ?? path.split('node_modules/').at(-1)
      const [scope, base = scope] = name.split('/')
      const registry = (config[`${scope}:registry`] ?? config.registry).replace(/\/$/, '')
      // The others come from a folder of this repository or inside another package.
      if (entry.integrity && !entry.resolved) entry.resolved = `${registry}/${name}/-/${base}-${entry.version}.tgz`
    }
    writeFileSync(LOCK_WITH_ADDRESSES, JSON.stringify(lock))
  } catch {
    // npm finds the addresses itself.
  }
}

/** Whether there was a lock file with addresses. */
function removeAddresses() {
  const isThere = existsSync(LOCK_WITH_ADDRESSES)
  rmSync(LOCK_WITH_ADDRESSES, { force: true })
  return isThere
}

/** Makes the database template, the worker's bundle and the site in advance. If that fails, the start makes them and reports why. */
async function prepare() {
  const own = join(root, 'node_modules/.bin/node')
  const args = ['--disable-warning=ExperimentalWarning', join(root, 'dev/stack/prepare.ts')]
  await run('Preparing the database, the worker and the site', existsSync(own) ? own : process.execPath, args)
}
