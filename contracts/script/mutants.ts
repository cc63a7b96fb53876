import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { forgeBinary } from './forge.ts'
import { MUTANTS, type Mutant } from './mutant-list.ts'

const CONTRACTS = join(import.meta.dirname, '..')
/** Beside `contracts`, so that the paths in foundry.toml hold. */
const COPY = join(CONTRACTS, '../.mutants')
const PARTS = ['src', 'test', 'script', 'tools', 'launch', 'foundry.toml', 'addresses.json']

type Outcome = 'found' | 'missed' | 'bad text' | 'does not compile'
const MARKS: Record<Outcome, string> = { found: '✓', missed: '✗', 'bad text': '✗', 'does not compile': '✗' }

/** Runs the named tests on the copy. They deploy by name, so a changed contract compiles again without the tests that use it. */
function outcomeOf(tests: string): Outcome {
  const args = ['test', '--fail-fast', '--no-match-test', 'test_Gas_', '--match-path', `test/${tests}`]
  const { status, stdout, stderr } = spawnSync(forgeBinary(), args, { cwd: COPY, encoding: 'utf8' })
  if (/^Ran \d+ tests? for /m.test(stdout)) return status === 0 ? 'missed' : 'found'
  console.error(stderr)
  return 'does not compile'
}

/** Runs the tests with one fault in the copy. */
function tryMutant({ file, from, to, tests }: Mutant): Outcome {
  const path = join(COPY, 'src', file)
  const source = readFileSync(path, 'utf8')
  if (source.split(from).length !== 2) return 'bad text'
  writeFileSync(
    path,
    source.replace(from, () => to),
  )
  try {
    return outcomeOf(tests)
  } finally {
    writeFileSync(path, source)
  }
}

const { values } = parseArgs({ options: { from: { type: 'string', default: '1' } } })
/** Number of the first fault to try. */
const first = Number(values.from)
if (!Number.isInteger(first) || first < 1 || first > MUTANTS.length) {
  console.error(`--from ${values.from}: give a whole number from 1 to ${MUTANTS.length}`)
  process.exit(2)
}
const mutants = MUTANTS.slice(first - 1)
mkdirSync(COPY, { recursive: true })
for (const part of PARTS) cpSync(join(CONTRACTS, part), join(COPY, part), { recursive: true })
try {
  const files = new Set(mutants.map(({ tests }) => tests))
  const sound = outcomeOf(`{${[...files].join(',')}}`)
  if (sound !== 'missed') throw new Error(`The tests must pass without a fault: ${sound}`)
  const found = mutants.filter((mutant) => {
    const outcome = tryMutant(mutant)
    console.log(`${MARKS[outcome]} ${outcome}  ${mutant.name}`)
    return outcome === 'found'
  }).length
  const failed = mutants.length - found
  console.log(`${found} tests passed, ${failed} failed, 0 skipped (${mutants.length} total tests)`)
  if (failed > 0) process.exitCode = 1
} finally {
  rmSync(COPY, { recursive: true, force: true })
}
