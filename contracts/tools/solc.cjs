#!/usr/bin/env node
// Lets forge use the npm package `solc` (WebAssembly) as if it were the native compiler, so that nothing is downloaded.
// Forge calls `--version` once and `--standard-json` with the input on stdin, all sources inlined.
const fs = require('node:fs')
const path = require('node:path')
const solc = require('solc')

const args = process.argv.slice(2)

function readImport(file) {
  const roots = args.flatMap((arg, index) => (/^--(base|include)-path$/.test(arg) ? [args[index + 1]] : []))
  const found = [...roots, '.'].map((root) => path.resolve(root, file)).find((candidate) => fs.existsSync(candidate))
  return found ? { contents: fs.readFileSync(found, 'utf8') } : { error: `File not found: ${file}` }
}

if (args.includes('--version')) {
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${solc.version()}\n`)
} else if (args.includes('--standard-json')) {
  process.stdout.write(solc.compile(fs.readFileSync(0, 'utf8'), { import: readImport }))
} else {
  process.stderr.write('This wrapper knows --version and --standard-json only.\n')
  process.exitCode = 1
}
