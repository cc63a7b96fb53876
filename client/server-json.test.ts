import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import * as z from 'zod'

// The rules of https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json, for the members that are used here.

const version = z.string().regex(/^\d+\.\d+\.\d+$/)
const input = {
  description: z.string(),
  value: z.string().optional(),
  default: z.string().optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
}

const serverSchema = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: version.max(255),
  remotes: z
    .array(z.strictObject({ type: z.literal('streamable-http'), url: z.url({ protocol: /^https$/ }) }))
    .length(1),
  packages: z
    .array(
      z.strictObject({
        registryType: z.literal('npm'),
        identifier: z.string(),
        version,
        transport: z.strictObject({ type: z.literal('stdio') }),
        packageArguments: z.array(z.strictObject({ type: z.literal('positional'), value: z.string() })),
        environmentVariables: z.array(z.strictObject({ name: z.string(), ...input })),
      }),
    )
    .length(1),
})

const packageSchema = z.object({ name: z.string(), version: z.string(), mcpName: z.string() })

const json = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(name, import.meta.url), 'utf8'))

it('default: server.json fits the schema of the MCP registry', async () => {
  expect(serverSchema.safeParse(await json('server.json'))).toMatchObject({ success: true })
})

it('behavior: server.json and package.json name each other', async () => {
  const server = serverSchema.parse(await json('server.json'))
  const { name, version: packageVersion, mcpName } = packageSchema.parse(await json('package.json'))
  expect(mcpName).toBe(server.name)
  expect(server.packages).toMatchObject([{ identifier: name, version: packageVersion }])
  expect(server.version).toBe(packageVersion)
})

it('behavior: server.json names the address and the host of its name', async () => {
  const server = serverSchema.parse(await json('server.json'))
  const url = new URL(server.remotes[0]?.url ?? '')
  expect([url.pathname, server.name.split('/')[0]]).toEqual(['/mcp', url.hostname.split('.').reverse().join('.')])
})
