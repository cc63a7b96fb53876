import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { namesEntityTag } from '../lib/list-header.ts'
import { trimEnd } from '../lib/text.ts'
import {
  type HeaderRule,
  parseHeaderRules,
  parseRedirects,
  parseRewrites,
  type Rewrite,
  redirectOf,
} from './header-rules.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

/** Media and fonts are compressed already. */
const isText = (type: string): boolean => /^text\/|json|xml|javascript/.test(type)

interface SiteFile {
  type: string
  bytes: Uint8Array<ArrayBuffer>
  /** Null where compressing saves nothing. */
  gzipped: Uint8Array<ArrayBuffer> | null
  /** Quoted. Both forms have it, so as an ETag it is a weak one. */
  hash: string
}

/** Answers what is not the API's. */
export type Site = (request: Request) => Response

/**
 * Reads a built site into memory and serves it as Pages would: `/a` is `a.html` or `a/index.html`, a path of `_redirects` the app
 * or another address, any other the `404.html` of its first folder or of the site; `_headers` is obeyed. Only files that were there at the start can be
 * asked for. Returns null when the folder holds no site. Throws when it cannot be read.
 */
export async function loadSite(folder: string): Promise<Site | null> {
  const files = await readFiles(folder)
  if (!files.has('/index.html')) return null
  const textOf = (name: string): Promise<string> => readIfThere(readFile(join(folder, name), 'utf8'), '')
  const rules = parseHeaderRules(await textOf('_headers'))
  const redirectsFile = await textOf('_redirects')
  const [rewrites, redirects] = [parseRewrites(redirectsFile), parseRedirects(redirectsFile)]
  return (request) => {
    const { pathname, search } = new URL(request.url)
    const target = redirectOf(redirects, pathname)
    if (target !== null) return new Response(null, { status: 302, headers: { Location: target + search } })
    const found = find(files, pathname, rewrites)
    return obey(
      rules,
      pathname,
      answer(request, found ?? notFoundPage(files, pathname), found === undefined ? 404 : 200),
    )
  }
}

/** The files that Pages reads itself and does not serve. */
const isHidden = (path: string): boolean => /^\/(_headers|_redirects|\.)/.test(path)

async function readFiles(folder: string): Promise<Map<string, SiteFile>> {
  const entries = await readIfThere(readdir(folder, { recursive: true, withFileTypes: true }), [])
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const paths = names.map((name) => `/${relative(folder, name).split(sep).join('/')}`)
  const shown = paths.filter((path) => !isHidden(path))
  return new Map(await Promise.all(shown.map(async (path) => [path, await readSiteFile(folder, path)] as const)))
}

/** The value read, or `otherwise` if there is no such file or folder. A site that may not be read is an error. */
async function readIfThere<Read>(reading: Promise<Read>, otherwise: Read): Promise<Read> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return otherwise
    throw error
  }
}

async function readSiteFile(folder: string, path: string): Promise<SiteFile> {
  const bytes = new Uint8Array(await readFile(join(folder, path)))
  const type = TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream'
  const gzipped = isText(type) ? new Uint8Array(await promisify(gzip)(bytes)) : null
  const isSmaller = gzipped !== null && gzipped.byteLength < bytes.byteLength
  const hash = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return { type, bytes, gzipped: isSmaller ? gzipped : null, hash }
}

type Files = ReadonlyMap<string, SiteFile>

function find(files: Files, pathname: string, rewrites: readonly Rewrite[]): SiteFile | undefined {
  const path = trimEnd(pathname, '/')
  if (isHidden(path)) return undefined
  const candidates = /\.[a-z0-9]+$/i.test(path) ? [path] : [`${path}.html`, `${path}/index.html`]
  candidates.push(...rewrites.filter(({ pattern }) => new RegExp(pattern).test(path)).map(({ file }) => file))
  return candidates.map((candidate) => files.get(candidate)).find((file) => file !== undefined)
}

/** The one of the first folder, else the site's. */
function notFoundPage(files: Files, pathname: string): SiteFile | undefined {
  return files.get(`/${pathname.split('/')[1]}/404.html`) ?? files.get('/404.html')
}

function answer(request: Request, file: SiteFile | undefined, status: 200 | 404): Response {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response('Method not allowed\n', { status: 405, headers: { Allow: 'GET, HEAD' } })
  }
  if (file === undefined) return new Response('Not found\n', { status: 404 })
  const acceptsGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(request.headers.get('accept-encoding') ?? '')
  const gzipped = acceptsGzip ? file.gzipped : null
  const headers = new Headers({ ETag: `W/${file.hash}`, 'Cache-Control': 'public, max-age=0, must-revalidate' })
  if (file.gzipped !== null) headers.set('Vary', 'Accept-Encoding')
  if (status === 200 && namesEntityTag(request.headers.get('if-none-match'), file.hash))
    return new Response(null, { status: 304, headers })
  const body = gzipped ?? file.bytes
  headers.set('Content-Type', file.type)
  headers.set('Content-Length', `${body.byteLength}`)
  if (gzipped !== null) headers.set('Content-Encoding', 'gzip')
  return new Response(request.method === 'HEAD' ? null : body, { status, headers })
}

function obey(rules: readonly HeaderRule[], pathname: string, response: Response): Response {
  for (const { pattern, remove, set } of rules) {
    if (!new RegExp(pattern).test(pathname)) continue
    for (const name of remove) response.headers.delete(name)
    for (const [name, value] of set) response.headers.set(name, value)
  }
  return response
}
