// Runs before `npm start`, `npm test` and `npm run demo`, on whatever Node there is: no dependency, no new syntax.
// All output goes to stderr, since stdout belongs to `--json`.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const OLDEST_NODE = 20
const root = join(dirname(fileURLToPath(import.meta.url)), '..')

function fail(text) {
  process.stderr.write(`\n${text}\n`)
  process.exit(1)
}

function modifiedAt(path) {
  try {
    return statSync(join(root, path)).mtimeMs
  } catch {
    return 0
  }
}

const major = Number(process.versions.node.split('.')[0])
if (major < OLDEST_NODE) {
  fail(
    `Node ${process.versions.node} is too old: Coinslot needs Node ${OLDEST_NODE} or newer to install itself (it brings its own Node 24).\n` +
      'Get one from https://nodejs.org or with your package manager, then run the command again.',
  )
}

// npm writes the second file at the end of an installation.
if (modifiedAt('node_modules/.package-lock.json') < modifiedAt('package-lock.json')) install()

function install() {
  process.stderr.write('Installing what is missing (npm ci, once, about a minute) …\n')
  const npm = process.env.npm_execpath
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const [command, prefix] = npm ? [process.execPath, [npm]] : ['npm', []]
  const result = spawnSync(command, [...prefix, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  })
  if (result.status === 0) return
  const said = `${result.stdout || ''}${result.stderr || ''}${result.error ? result.error.message : ''}`.trim()
  process.stderr.write(`${said}\n`)
  if (/ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|ERR_SOCKET_TIMEOUT|E50[0-9]/.test(said)) {
    fail(
      'The package registry is out of reach. Check the network and any proxy (`npm ping` shows whether it answers;\n' +
        '`npm config get registry` names it), then run the command again.',
    )
  }
  if (/EUSAGE|can only install packages when your package\.json and package-lock\.json/.test(said)) {
    fail('package.json and package-lock.json do not agree. Run `npm install` once, commit the lock, and try again.')
  }
  if (/EACCES|EPERM|EROFS|ENOSPC/.test(said)) {
    fail('node_modules cannot be written. Check who owns the folder and whether the disk is full, then try again.')
  }
  fail('`npm ci` failed; its words stand above. `rm -rf node_modules` and a second try is often the cure.')
}
