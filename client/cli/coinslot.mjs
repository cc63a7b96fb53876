#!/usr/bin/env node
// Starts the command line with a Node that runs TypeScript: this one, or the Node 24 that `npm ci` installed.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const pinned = join(import.meta.dirname ?? '', '../../node_modules/.bin/node')
const main = join(import.meta.dirname ?? '', 'main.ts')

if (process.features.typescript) {
  await import('./main.ts')
} else if (existsSync(pinned)) {
  const child = spawn(pinned, [main, ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  // A terminal sends Ctrl-C to both processes. A plain kill reaches only this one.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143)
  })
} else {
  process.stderr.write(
    'coinslot needs Node 24: run `npm ci` in the repository, or install it from https://nodejs.org.\n',
  )
  process.exitCode = 1
}
