import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'

const CONTRACTS = join(import.meta.dirname, '..')

const metadataSchema = z.object({
  compiler: z.object({ version: z.string() }),
  settings: z.object({
    optimizer: z.object({ enabled: z.boolean(), runs: z.int() }),
    metadata: z.object({ bytecodeHash: z.string(), appendCBOR: z.boolean().optional() }),
    evmVersion: z.string(),
    compilationTarget: z.record(z.string(), z.string()),
  }),
  sources: z.record(z.string(), z.unknown()),
})
const artifactSchema = z.object({ metadata: metadataSchema, bytecode: z.object({ object: z.string() }) })

/** What an explorer needs to compile a contract again. */
export interface Source {
  /** Such as `src/AicToken.sol:AicToken`. */
  identifier: string
  /** Such as `0.8.37+commit.f401782d`. */
  compilerVersion: string
  /** Creation code without the constructor's arguments. */
  bytecode: string
  standardJson: {
    language: 'Solidity'
    sources: Record<string, { content: string }>
    settings: object
  }
}

/**
 * The standard JSON input of a contract that `npm run contracts:build` compiled. Files of packages have the names by which they are
 * imported, so that it compiles anywhere, to the same code.
 */
export function sourceOf(contract: string): Source {
  const text = readFileSync(join(CONTRACTS, 'out', `${contract}.sol`, `${contract}.json`), 'utf8')
  const { metadata, bytecode } = artifactSchema.parse(JSON.parse(text))
  const { compilationTarget, ...settings } = metadata.settings
  const [[file = '', name = ''] = []] = Object.entries(compilationTarget)
  const sources = Object.keys(metadata.sources).map((path) => {
    const content = readFileSync(path.startsWith('/') ? path : join(CONTRACTS, path), 'utf8')
    return [path.replace(/^.*node_modules\//, ''), { content }] as const
  })
  const outputSelection = { '*': { '*': ['evm.bytecode', 'evm.deployedBytecode', 'abi', 'metadata'] } }
  return {
    identifier: `${file}:${name}`,
    compilerVersion: metadata.compiler.version,
    bytecode: bytecode.object,
    standardJson: {
      language: 'Solidity',
      sources: Object.fromEntries(sources),
      settings: { ...settings, outputSelection },
    },
  }
}
