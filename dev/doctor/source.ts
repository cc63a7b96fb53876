import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import * as z from 'zod'
import { findRunningStack } from '../stack/facts.ts'
import { readWorkerEnv } from '../stack/worker-env-file.ts'

const ROOT = join(import.meta.dirname, '../..')

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
}

/**
 * What was named: a deployment's variables, a file (which wins) or both; or the environment, when asked to. Else the local stack
 * that runs; else `.dev.vars`; else the environment. Throws when a named file or deployment is not there.
 */
export async function findSource({ envFile, deployment, environment }: SourceOptions): Promise<Source> {
  if (envFile !== undefined || deployment !== undefined) {
    const told = deployment === undefined ? {} : await varsOf(deployment)
    const kept = envFile === undefined ? {} : parseEnv(await readFile(envFile, 'utf8'))
    const names = [deployment && `wrangler.toml [env.${deployment}]`, envFile].filter(Boolean)
    return { name: names.join(' and '), env: { ...told, ...kept } }
  }
  const shell = { name: 'the environment of this shell', env: process.env }
  if (environment) return shell
  const stack = await findRunningStack()
  if (stack !== null) return { name: `the local stack at ${stack.origin}`, env: await envOfStack(stack.origin) }
  const text = await readFile(join(ROOT, '.dev.vars'), 'utf8').catch(() => null)
  return text === null ? shell : { name: '.dev.vars', env: parseEnv(text) }
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
