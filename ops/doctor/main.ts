import { parseFlags, runProgram } from '../../client/cli/flags.ts'
import { examine } from './examine.ts'
import type { Finding } from './finding.ts'
import { findSource } from './source.ts'

const HELP = `npm run doctor -- [flags]

Checks a deployment and everything it depends on, and says what to do about each fault. Exit code 1 when there is one.
Checks the running local stack, else the deployment of .dev.vars, else that of this shell's environment.

  --env-file FILE  the variables in FILE (NAME=value lines) instead
  --deployment ENV those of [env.ENV] in wrangler.toml, with the secrets of --env-file
  --env            the environment of this shell instead
  --before-deploy  leave out what only a running deployment can answer
  --json           print the findings as one JSON object
  --help           this text
`

const OPTIONS = {
  'env-file': { type: 'string' },
  deployment: { type: 'string' },
  env: { type: 'boolean' },
  'before-deploy': { type: 'boolean' },
  json: { type: 'boolean' },
} as const

const MARKS = { ok: '✓', fail: '✗', warn: '!', skip: '-' }

/** A line, and below it what to do; once for neighbouring lines with the same advice. */
function lineOf({ check, status, detail, advice }: Finding, index: number, all: readonly Finding[]): string {
  const line = `${MARKS[status]} ${check.padEnd(20)} ${detail}`
  const isLast = advice !== undefined && all[index + 1]?.advice !== advice
  return isLast ? `${line}\n${' '.repeat(23)}→ ${advice}` : line
}

await runProgram(HELP, async (args) => {
  const { values } = parseFlags(args, OPTIONS)
  const { 'env-file': envFile, deployment, env: environment = false } = values
  const named = { ...(envFile !== undefined && { envFile }), ...(deployment !== undefined && { deployment }) }
  const source = await findSource({ environment, ...named })
  const examined = await examine(source.env, { beforeDeploy: values['before-deploy'] ?? false })
  const findings = [...(source.findings ?? []), ...examined]
  const failed = findings.filter(({ status }) => status === 'fail').length
  if (values.json) {
    process.stdout.write(`${JSON.stringify({ ok: failed === 0, source: source.name, findings })}\n`)
  } else {
    const sum = failed === 0 ? 'All is well.' : `${failed} of ${findings.length} checks failed.`
    process.stdout.write(`Checking ${source.name}\n\n${findings.map(lineOf).join('\n')}\n\n${sum}\n`)
  }
  return failed === 0
})
