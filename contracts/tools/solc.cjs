#!/usr/bin/env node
// Lets forge use the npm package `solc` (WebAssembly) as if it were the native compiler, so that nothing is downloaded.
// Forge calls `--version` once and `--standard-json` with the input on stdin, all sources inlined.
// Tests are compiled without the optimizer, after the rest: it would take most of the time, and they are never deployed. They deploy
// the optimized contracts by name (`dynamic_test_linking` in foundry.toml).
const fs = require('node:fs')
const path = require('node:path')
const solc = require('solc')

const args = process.argv.slice(2)

function readImport(file) {
  const roots = args.flatMap((arg, index) => (/^--(base|include)-path$/.test(arg) ? [args[index + 1]] : []))
  const found = [...roots, '.'].map((root) => path.resolve(root, file)).find((candidate) => fs.existsSync(candidate))
  return found ? { contents: fs.readFileSync(found, 'utf8') } : { error: `File not found: ${file}` }
}

const compile = (input) => JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }))

/** The input with the outputs of some files only. */
function selecting(input, isChosen) {
  const chosen = Object.entries(input.settings.outputSelection).filter(([file]) => isChosen(file))
  return { ...input, settings: { ...input.settings, outputSelection: Object.fromEntries(chosen) } }
}

/** The gas of a test includes its own code, so tests of gas are optimized too. */
const isPlainTest = (file) => /^test\//.test(file) && !/Gas\.t\.sol$/.test(file)

function compileAll(input) {
  const isOptimized = input.settings?.optimizer?.enabled === true
  const hasTests = isOptimized && Object.keys(input.settings.outputSelection ?? {}).some(isPlainTest)
  if (!hasTests) return compile(input)
  const plain = selecting(input, isPlainTest)
  plain.settings.optimizer = { ...plain.settings.optimizer, enabled: false }
  const rest = selecting(input, (file) => !isPlainTest(file))
  // One after the other: a second thread would have to optimize the compiler's own code again.
  return merged(compile(rest), compile(plain))
}

function merged(a, b) {
  const known = new Set((a.errors ?? []).map((error) => error.formattedMessage))
  const more = (b.errors ?? []).filter((error) => !known.has(error.formattedMessage))
  return {
    errors: [...(a.errors ?? []), ...more],
    sources: { ...b.sources, ...a.sources },
    contracts: { ...a.contracts, ...b.contracts },
  }
}

if (args.includes('--version')) {
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${solc.version()}\n`)
} else if (args.includes('--standard-json')) {
  process.stdout.write(JSON.stringify(compileAll(JSON.parse(fs.readFileSync(0, 'utf8')))))
} else {
  process.stderr.write('This wrapper knows --version and --standard-json only.\n')
  process.exitCode = 1
}
