import { readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { runForge } from './forge.ts'

const root = join(import.meta.dirname, '..')
const REPORT = 'out/lcov.info'

/**
 * Runs `forge coverage` over the contracts, prints its table and returns the report. Its source map does not follow imports above
 * the project's root, so `node_modules` is linked into it during the run.
 */
function measure(): string {
  const link = join(root, 'node_modules')
  rmSync(link, { force: true })
  symlinkSync('../node_modules', link)
  // Coverage is counted in the code that the tests contain.
  process.env['FOUNDRY_DYNAMIC_TEST_LINKING'] = 'false'
  try {
    const modules = ['forge-std/=node_modules/@layerzerolabs/toolbox-foundry/lib/forge-std/']
    modules.push('@openzeppelin/contracts/=node_modules/@openzeppelin/contracts/')
    const args = ['coverage', ...modules.flatMap((mapping) => ['-R', mapping])]
    args.push('--no-match-coverage', '^(test|script|node_modules)/', '--report', 'summary', '--report', 'lcov')
    if (runForge(...args, '--report-file', REPORT) !== 0) throw new Error('forge coverage failed.')
  } finally {
    rmSync(link, { force: true })
  }
  return readFileSync(join(root, REPORT), 'utf8')
}

/** Lines like `src/AicStaking.sol:42` for every branch of an lcov report that no test takes. */
function untakenBranches(report: string): string[] {
  return report.split('end_of_record').flatMap((record) => {
    const file = /^SF:(.*)$/m.exec(record)?.[1] ?? ''
    return [...record.matchAll(/^BRDA:(\d+),\d+,\d+,(?:0|-)$/gm)].map((match) => `${file}:${match[1]}`)
  })
}

const report = measure()
if (!report.includes('SF:src/')) throw new Error('The coverage report does not contain the contracts.')
const missed = untakenBranches(report)
if (missed.length > 0) {
  console.error(`Branches that no test takes: ${missed.join(', ')}`)
  process.exitCode = 1
} else {
  console.log('Tests take every branch of the contracts.')
}
