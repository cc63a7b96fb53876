// Writes what the worker uses of `@neondatabase/serverless`: the half for HTTP. The package's own file carries a whole
// PostgreSQL client for WebSockets as well, 19 KiB gzip that a bundler cannot drop, since nothing marks its parts as free of
// effects. Wrangler runs this before it bundles (`[build]` and `[alias]` in wrangler.toml). The package stays the source: only
// its own text is cut and marked, and a version that looks different ends in an error.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const OUT = join(ROOT, 'node_modules/.cache/neon/http.mjs')
const WEBSOCKET_HALF = 'var Co=we(ot())'
const PG_TYPES = /this\.types=(\w+)\(\),this\.DatabaseError/
const EXPORTS = /(\w+) as NeonDbError,[\s\S]*?(\w+) as neon,(\w+) as neonConfig/
const LAZY_PART = /((?:var |,)\w+=)(?=[TV]\()/g
const LAZY_PARTS = 54

const source = readFileSync(
  join(dirname(createRequire(import.meta.url).resolve('@neondatabase/serverless')), 'index.mjs'),
  'utf8',
)

function find(pattern) {
  const found = pattern.exec(source)
  if (found === null)
    throw new Error(`@neondatabase/serverless has changed: ${pattern} is not in it. Adapt db/build-neon-http.mjs.`)
  return found
}

const end = source.indexOf(WEBSOCKET_HALF)
if (end < 0)
  throw new Error(
    `@neondatabase/serverless has changed: "${WEBSOCKET_HALF}" is not in it. Adapt db/build-neon-http.mjs.`,
  )
const [, types] = find(PG_TYPES)
const [, error, neon, config] = find(EXPORTS)
const half = source.slice(0, end)
const marked = half.replace(LAZY_PART, '$1/* @__PURE__ */')
const parts = half.match(LAZY_PART)?.length ?? 0
if (parts !== LAZY_PARTS)
  throw new Error(
    `@neondatabase/serverless has changed: ${parts} lazy parts, not ${LAZY_PARTS}. Adapt db/build-neon-http.mjs.`,
  )

mkdirSync(dirname(OUT), { recursive: true })
writeFileSync(
  OUT,
  `${marked}\nvar types=we(${types}());export{${error} as NeonDbError,${neon} as neon,${config} as neonConfig,types};\n`,
)
