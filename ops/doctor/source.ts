import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import * as z from 'zod'
import { findRunningStack } from '../../dev/stack/stack-info.ts'
import { readWorkerEnv } from '../../dev/stack/worker-env.ts'

const ROOT = join(import.meta.dirname, '../..')

const NOTHING =
  'There is nothing to look at: no local stack runs here (start one with `npm start`), and no deployment is named. ' +
  'Name one with --env-file FILE, or put its variables into .dev.vars (docs/deploy.md).'

/** Variables to examine, and where they come from, in words. */
export interface Source {
  name: string
  env: NodeJS.Dict<string>
}

export interface SourceOptions {
  /** A file of NAME=value lines. */
  envFile?: string
  /** An environment of `wrangler.toml`, whose variables the deployment is told beside its secrets. */
  deployment?: string
  /** Takes the environment of this shell. */
  environment?: boolean
  /** Where .dev.vars and the stack's facts are looked for; default: this repository. */
  root?: string
}

/**
 * What was named: a deployment's variables, a file (which wins) or both; or the environment, when asked to. Else the local stack
 * that runs; else `.dev.vars`; else the environment. Throws when a named file or deployment is not there, or there is nothing at all.
 */
export async function findSource({ envFile, deployment, environment, root = ROOT }: SourceOptions): Promise<Source> {
  if (envFile !== undefined || deployment !== undefined) {
    const told = deployment === undefined ? {} : await varsOf(deployment)
    const kept = envFile === undefined ? {} : parseEnv(await readFile(envFile, 'utf8'))
    const names = [deployment && `wrangler.toml [env.${deployment}]`, envFile].filter(Boolean)
    return { name: names.join(' and '), env: { ...told, ...kept } }
  }
  const shell = { name: 'the environment of this shell', env: process.env }
  if (environment) return shell
  const stack = await findRunningStack(join(root, '.coinslot/stack.json'))
  if (stack !== null) return { name: `the local stack at ${stack.origin}`, env: await envOfStack(stack.origin) }
  const text = await readFile(join(root, '.dev.vars'), 'utf8').catch(() => null)
  if (text !== null) return { name: '.dev.vars', env: parseEnv(text) }
  if (process.env['DATABASE_URL'] || process.env['PUBLIC_ORIGIN']) return shell
  throw new Error(NOTHING)
}

const varsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))

async function varsOf(deployment: string): Promise<Source['env']> {
  const { unstable_readConfig } = await import('wrangler')
  const config = unstable_readConfig({ config: join(ROOT, 'wrangler.toml'), env: deployment })
  if (config.targetEnvironment !== deployment) throw new Error(`wrangler.toml has no [env.${deployment}]`)
  return varsSchema.parse(config.vars)
}

/** Of two stacks side by side the first one's variables stand there; one that was killed may have left its own. */
async function envOfStack(origin: string): Promise<Source['env']> {
  const env: Source['env'] = await readWorkerEnv().catch(() => ({}))
  if (env['PUBLIC_ORIGIN']?.split(',')[0] === origin) return env
  throw new Error(`The variables of the stack at ${origin} are not in .coinslot/worker.env: start it again.`)
}
