// Runs in workerd before the worker, as the edge does in production. Its types are stripped and it is embedded as one module,
// so it imports no values.
import type { HeaderRule, Redirect, Rewrite } from '../../worker/node/header-rules.ts'

interface Service {
  fetch(request: Request | string, init?: RequestInit): Promise<Response>
}

/** A site: what is before its paths, the binding of its folder, its headers, the paths that its app serves, and those that lead elsewhere. */
interface Site {
  path: string
  binding: string
  headers: HeaderRule[]
  rewrites: Rewrite[]
  redirects: Redirect[]
}

interface Env {
  WORKER: Service
  /** The MCP server over HTTP. */
  MCP: Service
  /** The folders of the built sites; absent when there are none. */
  SITE?: Service
  PRESALE?: Service
  DASHBOARD?: Service
  /** JSON-RPC of the dev chain, under the site's own origin so that its content policy holds. */
  RPC?: Service
  SITES: Site[]
  /** The info for the site's demo wallet, or null. */
  DEV: unknown
}

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  webmanifest: 'application/manifest+json',
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
}

const HOST = /^([\w.-]+|\[[0-9a-f:.]+\])(:\d*)?$/i

const NO_SITE = `<!doctype html><html lang="en"><title>Coinslot</title><p>The API runs. The site is not built: run <code>npm run build</code>, then start again.`

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const pathname = URL.parse(request.url)?.pathname
    // An invalid `Host` yields an invalid URL or another path. Cloudflare rejects it too.
    if (pathname === undefined || !HOST.test(request.headers.get('host') ?? 'localhost')) {
      return new Response('Bad request', { status: 400 })
    }
    if (/^\/(api$|api\/|v1\/|\.well-known\/|openapi\.json$)/.test(pathname)) {
      return env.WORKER.fetch(fromHere(request))
    }
    if (pathname === '/mcp') return env.MCP.fetch(fromHere(request))
    if (pathname === '/dev/stack.json' && env.DEV !== null) return Response.json(env.DEV)
    if (pathname === '/dev/rpc' && env.RPC && request.method === 'POST') {
      return env.RPC.fetch('http://rpc/', { method: 'POST', headers: JSON_TYPE, body: request.body })
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return new Response('Method not allowed', { status: 405, headers: { allow: 'GET, HEAD' } })
    }
    return fromSite(request.method, pathname, env)
  },
}

/** Sets the caller's address as the edge does. It is always this machine. */
function fromHere(request: Request): Request {
  const vouched = new Request(request)
  vouched.headers.set('CF-Connecting-IP', '127.0.0.1')
  return vouched
}

const NOT_FOUND = '/404.html'
const JSON_TYPE = { 'content-type': 'application/json' }

/** The answer of the site with the longest path before this one. */
async function fromSite(method: string, pathname: string, env: Env): Promise<Response> {
  const isBelow = ({ path }: Site): boolean => pathname === path || pathname.startsWith(`${path}/`)
  const [site] = env.SITES.filter(isBelow).sort((a, b) => b.path.length - a.path.length)
  const folder = { SITE: env.SITE, PRESALE: env.PRESALE, DASHBOARD: env.DASHBOARD }[site?.binding ?? '']
  if (site === undefined || folder === undefined) {
    return new Response(NO_SITE, { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
  }
  const path = pathname.slice(site.path.length) || '/'
  const redirect = site.redirects.find(({ pattern }) => new RegExp(pattern).test(path))
  if (redirect !== undefined) {
    const location = path.replace(new RegExp(redirect.pattern), redirect.target).replace(/^\/+/, '/')
    return new Response(null, { status: 302, headers: { location: site.path + location } })
  }
  return withHeaderRules(await staticFile(method, path, folder, site.rewrites), path, site.headers)
}

/** As on Pages, the nearest `404.html` answers what is neither a file nor a path of the app. */
async function staticFile(
  method: string,
  pathname: string,
  site: Service,
  rewrites: readonly Rewrite[],
): Promise<Response> {
  const path = pathname.replace(/\/+$/, '')
  const isHidden = path.startsWith('/_headers') || path.startsWith('/_redirects')
  const candidates = /\.[a-z0-9]+$/i.test(path) ? [path] : [`${path}.html`, `${path}/index.html`]
  candidates.push(...rewrites.filter(({ pattern }) => new RegExp(pattern).test(path)).map(({ file }) => file))
  const notFound = [`/${path.split('/')[1]}${NOT_FOUND}`, NOT_FOUND]
  for (const candidate of [...(isHidden ? [] : candidates), ...notFound]) {
    const file = await site.fetch(`http://site${candidate}`, { method })
    // The disk service answers a folder with a JSON list and a file as an octet stream.
    if (file.status !== 200 || file.headers.get('content-type') !== 'application/octet-stream') continue
    const extension = candidate.slice(candidate.lastIndexOf('.') + 1).toLowerCase()
    const headers = new Headers({ 'content-type': TYPES[extension] ?? 'application/octet-stream' })
    headers.set('content-length', file.headers.get('content-length') ?? '')
    return new Response(file.body, { status: candidate.endsWith(NOT_FOUND) ? 404 : 200, headers })
  }
  return new Response('Not found', { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' } })
}

function withHeaderRules(response: Response, pathname: string, rules: readonly HeaderRule[]): Response {
  for (const rule of rules.filter(({ pattern }) => new RegExp(pattern).test(pathname))) {
    for (const name of rule.remove) response.headers.delete(name)
    for (const [name, value] of rule.set) response.headers.set(name, value)
  }
  return response
}
