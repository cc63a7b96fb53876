import { parseArgs } from 'node:util'
import { examine } from './doctor/examine.ts'
import type { Finding } from './doctor/finding.ts'
import { findSource } from './doctor/source.ts'

const HELP = `npm run doctor -- [flags]

Checks a deployment from outside in, and says what to do for each fault. Ends with 1 when there is one.
It looks at the local stack when one runs, else at .dev.vars, else at the environment.

  --env-file FILE  the variables in FILE (NAME=value lines) instead
  --env            the environment of this shell instead
  --before-deploy  leave out what only a running deployment can answer
  --json           print the findings as one JSON object
  --help           this text
`

const OPTIONS = {
  'env-file': { type: 'string' },
  env: { type: 'boolean' },
  'before-deploy': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

const MARKS = { ok: '✓', fail: '✗', warn: '!', skip: '-' }

function lineOf({ check, status, detail, advice }: Finding): string {
  const line = `${MARKS[status]} ${check.padEnd(20)} ${detail}`
  return advice === undefined ? line : `${line}\n${' '.repeat(23)}→ ${advice}`
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({ options: OPTIONS, strict: true, allowPositionals: false })
  if (values.help) {
    process.stdout.write(HELP)
    return true
  }
  const { 'env-file': envFile, env: environment = false } = values
  const source = await findSource({ environment, ...(envFile !== undefined && { envFile }) })
  const findings = await examine(source.env, { beforeDeploy: values['before-deploy'] ?? false })
  const failed = findings.filter(({ status }) => status === 'fail').length
  if (values.json) {
    process.stdout.write(`${JSON.stringify({ ok: failed === 0, source: source.name, findings })}\n`)
  } else {
    const sum = failed === 0 ? 'All is well.' : `${failed} of ${findings.length} checks failed.`
    process.stdout.write(`Checking ${source.name}\n\n${findings.map(lineOf).join('\n')}\n\n${sum}\n`)
  }
  return failed === 0
}

try {
  process.exit((await main()) ? 0 : 1)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(2)
}
