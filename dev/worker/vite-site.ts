import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import { createServer, type Logger, type Plugin, type ProxyOptions, type ViteDevServer } from 'vite'
import { makeMcpServer, PATH } from '../../client/mcp/http/server.ts'

const ROOT = join(import.meta.dirname, '../..')

export interface ViteSiteOptions {
  /** The public port. */
  port: number
  /** Where `wrangler dev` listens. */
  workerPort: number
  /** True if `/mcp` is served. */
  mcpRoutes: boolean
  rpcUrl: string
  /** The answer of `/dev/stack.json`. */
  devInfo: unknown
  onLine(text: string): void
}

/** Serves the site with hot replacement at the public port, and passes on what belongs to the worker or to the chain. */
export async function startViteSite(options: ViteSiteOptions): Promise<{ close(): Promise<void> }> {
  const beside = await serversBeside()
  const server = await createServer({
    configFile: join(ROOT, 'web/site/vite.config.ts'),
    mode: 'stack',
    clearScreen: false,
    cacheDir: join(ROOT, '.coinslot/vite'),
    customLogger: loggerOf(options.onLine),
    plugins: [edge(options, beside)],
    server: {
      host: '127.0.0.1',
      port: options.port,
      strictPort: true,
      fs: { allow: [ROOT] },
      proxy: proxyOf(options),
    },
  })
  await server.listen()
  return {
    close: async () => {
      await Promise.all([server, ...beside.map((one) => one.server)].map((one) => one.close()))
    },
  }
}

interface Beside {
  path: string
  server: ViteDevServer
}

/** Sites below the main one's address, from their sources. Their pages must be loaded again by hand after a change. */
const BESIDE = { '/presale': 'web/landing', '/dashboard': 'web/dashboard' }

async function serversBeside(): Promise<Beside[]> {
  const found = Object.entries(BESIDE).filter(([, root]) => existsSync(join(ROOT, root, 'vite.config.ts')))
  return Promise.all(
    found.map(async ([path, root]) => ({
      path,
      server: await createServer({
        configFile: join(ROOT, root, 'vite.config.ts'),
        mode: 'stack',
        cacheDir: join(ROOT, '.coinslot/vite', path),
        // Without `ws: false` each opens a socket too, on all addresses of the machine.
        server: { middlewareMode: true, hmr: false, ws: false, fs: { allow: [ROOT] } },
      }),
    })),
  )
}

/** The paths of the router in production, and the chain under the site's own origin, as the content policy wants it. */
function proxyOf({ workerPort, rpcUrl }: ViteSiteOptions): Record<string, ProxyOptions> {
  const worker = {
    target: `http://127.0.0.1:${workerPort}`,
    headers: { 'CF-Connecting-IP': '127.0.0.1' },
  }
  const chain = { target: rpcUrl, changeOrigin: true, rewrite: () => '/' }
  return {
    '^/api(?=[/?]|$)': worker,
    '^/(v1|\\.well-known)/': worker,
    '^/openapi\\.json(?=\\?|$)': worker,
    '^/dev/rpc$': chain,
  }
}

const isProxied = (path: string): boolean => /^\/(api(\/|$)|v1\/|\.well-known\/|openapi\.json$|dev\/rpc$)/.test(path)

/** The MCP server in this process: `wrangler dev` serves one worker at its port. Restart the stack to load its changed sources. */
function mcpListener({ workerPort, onLine }: ViteSiteOptions): ReturnType<typeof getRequestListener> {
  const mcp = makeMcpServer({ onError: (error) => onLine(`mcp: ${String(error)}`) })
  const api = {
    fetch(request: Request): Promise<Response> {
      const url = new URL(request.url)
      url.host = `127.0.0.1:${workerPort}`
      const call = new Request(url, request)
      call.headers.set('CF-Connecting-IP', '127.0.0.1')
      return fetch(call)
    },
  }
  return getRequestListener((request) => mcp(request, api), { overrideGlobalObjects: false })
}

/** Answers what the router of `npm start` answers itself: the stack's info, and 405 for a write to the site. */
function edge(options: ViteSiteOptions, beside: readonly Beside[]): Plugin {
  const mcp = mcpListener(options)
  return {
    name: 'coinslot-edge',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const [path = '/'] = (request.originalUrl ?? '/').split('?')
        if (isProxied(path)) return next()
        if (path === PATH && options.mcpRoutes) return mcp(request, response)
        if (path === '/dev/stack.json') {
          response.setHeader('content-type', 'application/json')
          return response.end(JSON.stringify(options.devInfo))
        }
        const other = beside.find((one) => path === one.path || path.startsWith(`${one.path}/`))
        if (other !== undefined) {
          if (path === other.path) return response.writeHead(302, { location: `${path}/` }).end()
          return other.server.middlewares(request, response, next)
        }
        if (request.method === 'GET' || request.method === 'HEAD') return next()
        response.writeHead(405, { allow: 'GET, HEAD' }).end('Method not allowed')
      })
    },
  }
}

/** Vite's messages as plain lines, without those of requests that arrive while the worker starts again. */
function loggerOf(onLine: (text: string) => void): Logger {
  const shown = new Set<string>()
  const show = (text: string): void => {
    const plain = stripVTControlCharacters(text).trim()
    if (!plain.startsWith('http proxy error')) onLine(plain)
  }
  return {
    hasWarned: false,
    info: show,
    warn: show,
    error: show,
    warnOnce(text) {
      if (!shown.has(text)) show(text)
      shown.add(text)
    },
    clearScreen: () => undefined,
    hasErrorLogged: () => false,
  }
}
