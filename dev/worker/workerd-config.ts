import { join } from 'node:path'
import type { HeaderRule, Redirect, Rewrite } from '../../worker/node/header-rules.ts'
import type { Bundle } from './bundle.ts'

/** A built site and where it is served. */
export interface SiteLayout {
  /** Before the paths of the site: empty, or `/name`. */
  path: string
  /** The router's name for the folder. */
  binding: string
  dir: string
  headers: readonly HeaderRule[]
  /** The paths that its app serves. */
  rewrites: readonly Rewrite[]
  redirects: readonly Redirect[]
}

export interface WorkerdLayout {
  bundle: Bundle
  /** The MCP server, which calls the worker by a binding. */
  mcp: Bundle
  /** Names of variables that reach the worker from workerd's own environment, so that no secret is written to disk. */
  variables: readonly string[]
  port: number
  tickerSocket: string
  sites: readonly SiteLayout[]
  /** `host:port` of the dev chain, for the site. */
  rpcAddress: string | null
  /** Info for the site's demo wallet. */
  devInfo: unknown
  routerCode: string
  tickerCode: string
}

/** A text in the Cap'n Proto language, whose strings are C's. */
const quote = (text: string): string => JSON.stringify(text).replace(/[\u007f-\uffff]/g, escapeUtf8)
const escapeUtf8 = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')

const MODULE_KINDS: Record<string, string> = {
  js: 'esModule',
  mjs: 'esModule',
  wasm: 'wasm',
  txt: 'text',
  html: 'text',
}

const MCP_VARIABLES = ['MCP_ROUTES']

/** A service that runs a bundle, whose entry module must come first. */
function bundled(service: string, bundle: Bundle, bindings: readonly string[]): string {
  const modules = [...bundle.modules]
    .sort((a, b) => Number(b === 'index.js') - Number(a === 'index.js'))
    .map((name) => {
      const kind = MODULE_KINDS[name.slice(name.lastIndexOf('.') + 1)] ?? 'data'
      return `(name = ${quote(name)}, ${kind} = embed ${quote(join(bundle.dir, name))})`
    })
  const date = `compatibilityDate = ${quote(bundle.compatibilityDate)}`
  const flags = bundle.compatibilityFlags.map(quote).join(', ')
  return `(name = ${quote(service)}, worker = (modules = [${modules.join(', ')}], ${date}, compatibilityFlags = [${flags}], bindings = [${bindings.join(', ')}]))`
}

/**
 * Configuration of raw workerd: the router on the public port, the worker and the MCP server behind it, the ticker on a separate
 * socket.
 */
export function workerdConfig(layout: WorkerdLayout): string {
  const { bundle, mcp } = layout
  const fromEnvironment = (name: string): string => `(name = ${quote(name)}, fromEnvironment = ${quote(name)})`
  const variables = layout.variables.map(fromEnvironment)
  const date = `compatibilityDate = ${quote(bundle.compatibilityDate)}`
  const mcpBindings = [
    '(name = "API", service = "worker")',
    ...layout.variables.filter((name) => MCP_VARIABLES.includes(name)).map(fromEnvironment),
  ]
  const routerBindings = [
    '(name = "WORKER", service = "worker")',
    '(name = "MCP", service = "mcp")',
    `(name = "SITES", json = ${quote(JSON.stringify(layout.sites.map(({ dir: _, ...site }) => site)))})`,
    `(name = "DEV", json = ${quote(JSON.stringify(layout.devInfo ?? null))})`,
  ]
  const services = [
    bundled('worker', bundle, variables),
    bundled('mcp', mcp, mcpBindings),
    '(name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true)))',
    `(name = "ticker", worker = (modules = [(name = "ticker.js", esModule = ${quote(layout.tickerCode)})], ${date}, compatibilityFlags = ["service_binding_extra_handlers"], bindings = [(name = "WORKER", service = "worker")]))`,
  ]
  for (const { binding, dir } of layout.sites) {
    services.push(`(name = ${quote(binding)}, disk = (path = ${quote(dir)}))`)
    routerBindings.push(`(name = ${quote(binding)}, service = ${quote(binding)})`)
  }
  if (layout.rpcAddress !== null) {
    services.push(`(name = "rpc", external = (address = ${quote(layout.rpcAddress)}, http = ()))`)
    routerBindings.push('(name = "RPC", service = "rpc")')
  }
  services.push(
    `(name = "router", worker = (modules = [(name = "router.js", esModule = ${quote(layout.routerCode)})], ${date}, bindings = [${routerBindings.join(', ')}]))`,
  )
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    ${services.join(',\n    ')}
  ],
  sockets = [
    (name = "http", address = ${quote(`127.0.0.1:${layout.port}`)}, http = (), service = "router"),
    (name = "ticker", address = ${quote(`unix:${layout.tickerSocket}`)}, http = (), service = "ticker")
  ]
);
`
}
