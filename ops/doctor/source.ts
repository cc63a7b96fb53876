import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import * as z from 'zod'
import { UsageError } from '../../client/node/errors.ts'
import { findLocalEnv } from '../local-stack.ts'
import { type Finding, fail, skip, warn } from './finding.ts'

const ROOT = join(import.meta.dirname, '../..')

const NOTHING =
  'Which deployment? No local stack runs here (start one with `npm start`), and none is named. ' +
  'Name one with --env-file FILE, or put its variables into .dev.vars (docs/deploy.md).'

/** Variables to examine, and where they come from. */
export interface Source {
  name: string
  env: NodeJS.Dict<string>
  /** The part of a deployment's configuration that needs no variables. */
  findings?: Finding[]
}

export interface SourceOptions {
  /** A file of NAME=value lines. */
  envFile?: string
  /** An environment of `wrangler.toml`. */
  deployment?: string
  /** Takes the environment of this shell. */
  environment?: boolean
  /** The folder of .dev.vars and .coinslot; default: this repository. */
  root?: string
}

/**
 * Finds the variables: the named file, the named deployment, or both, where the file wins; or the environment of the shell when
 * asked. Otherwise the running local stack, else `.dev.vars`, else the environment. Throws `UsageError` when nothing is found.
 */
export async function findSource({ envFile, deployment, environment, root = ROOT }: SourceOptions): Promise<Source> {
  if (envFile !== undefined || deployment !== undefined) {
    const { vars, findings } = deployment === undefined ? { vars: {}, findings: [] } : await readDeployment(deployment)
    const secrets = envFile === undefined ? {} : await readEnvFile(envFile)
    const names = [deployment && `wrangler.toml [env.${deployment}]`, envFile].filter(Boolean)
    return { name: names.join(' and '), env: { ...vars, ...secrets }, findings }
  }
  const shell = { name: 'the environment of this shell', env: process.env }
  if (environment) return shell
  const local = await findLocalEnv(join(root, '.coinslot'))
  if (local !== null) return { name: `the local stack at ${local.origin}`, env: local.env }
  const text = await readFile(join(root, '.dev.vars'), 'utf8').catch(() => null)
  if (text !== null) return { name: '.dev.vars', env: parseEnv(text) }
  if (process.env['DATABASE_URL'] || process.env['PUBLIC_ORIGIN']) return shell
  throw new UsageError(NOTHING)
}

/** The NAME=value lines of a file. Throws `UsageError` when it cannot be read. */
export async function readEnvFile(file: string): Promise<Source['env']> {
  try {
    return parseEnv(await readFile(file, 'utf8'))
  } catch (cause) {
    throw new UsageError(`${file} cannot be read.`, { cause })
  }
}

const varsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))

async function readDeployment(deployment: string): Promise<{ vars: Source['env']; findings: Finding[] }> {
  const { unstable_readConfig } = await import('wrangler')
  const config = unstable_readConfig({ config: join(ROOT, 'wrangler.toml'), env: deployment })
  if (config.targetEnvironment !== deployment) throw new UsageError(`wrangler.toml has no [env.${deployment}]`)
  return { vars: varsSchema.parse(config.vars), findings: [checkQueue(config.queues, deployment)] }
}

/** The `queues` of an environment in `wrangler.toml`. */
export interface Queues {
  producers?: readonly { binding: string; queue?: string | undefined }[] | undefined
  consumers?: readonly { queue: string }[] | undefined
}

/** Checks that a deployment's worker is woken when a purchase is due: it sends to a queue that it also reads. */
export function checkQueue({ producers = [], consumers = [] }: Queues, deployment: string): Finding {
  const check = 'wake-ups'
  const queue = producers.find(({ binding }) => binding === 'WAKE_UPS')?.queue
  if (queue === undefined) {
    return warn(
      check,
      'no queue is bound as WAKE_UPS: what its buyer left is driven by the job of the next minute only',
      `Bind one in [[env.${deployment}.queues.producers]] of wrangler.toml (docs/deploy.md, "The queue").`,
    )
  }
  if (!consumers.some((consumer) => consumer.queue === queue)) {
    return fail(
      check,
      `messages go to ${queue}, and the worker does not read it`,
      `Name ${queue} in [[env.${deployment}.queues.consumers]] of wrangler.toml.`,
    )
  }
  return skip(
    check,
    `queue ${queue} by wrangler.toml; whether it exists was not asked. Before the first deployment: npx wrangler queues create ${queue}`,
  )
}
