// Writes what the worker uses of `@neondatabase/serverless`: the half for HTTP. The package's own file carries a whole
// PostgreSQL client for WebSockets as well, which a bundler cannot drop, since nothing marks its parts as free of effects.
// Also left out is what HTTP loads and does not call: a `Buffer` for runtimes that have none, binary formats, passwords.
// Wrangler runs this before it bundles (`[build]` and `[alias]` in wrangler.toml). The package stays the source: only its own
// text is cut and marked, and a version that looks different ends in an error.
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
/** Stretches that HTTP does not call: from a start up to an end, and their replacement. */
const UNUSED_PARTS = [
  // A Buffer for runtimes without one. Nothing here sends or reads binary values.
  [
    'oi=/* @__PURE__ */T(',
    'var b,x,v,p,y,h=',
    'oi=/* @__PURE__ */T(e=>{e.Buffer=class{static from(){throw new TypeError("binary values are not supported here")}}});',
  ],
  // Workers load all of `node:process` when it is looked at. HTTP reads nothing of it. With `nextTick` there is no error to catch:
  // the first error of an isolate has V8 parse the whole bundle again, for the lines of its stack.
  ['y=globalThis.process??{}', ';try{', 'y={env:{},nextTick:f=>queueMicrotask(f)}'],
  // The base class and the methods of a WebSocket connection. Its settings stay.
  ['ve=/* @__PURE__ */T(', 'var Ii={}', 've=/* @__PURE__ */T((e,m)=>{m.exports={EventEmitter:class{}}});'],
  ['wsProxyAddrForHost(t', '};a(A,"Socket")', ''],
  // Parsers of the binary format: HTTP answers in text.
  ['ts=/* @__PURE__ */T(', 'var ns=', 'ts=/* @__PURE__ */T((e,m)=>{m.exports={init(){}}});'],
  // Users, hosts and passwords that are set apart from the connection string: nine promises for each statement.
  ['if(e.user!==void 0&&e.username', 'let n=di(r,!1);', ''],
  ['await Promise.all(_a.map(', 'let{searchParams:i}=n;', ''],
  // The digests of passwords.
  ['Fu=(fr(),O(lr))', ',Mu=', 'Fu={}'],
]

const source = readFileSync(
  join(dirname(createRequire(import.meta.url).resolve('@neondatabase/serverless')), 'index.mjs'),
  'utf8',
)

function changed(how) {
  return new Error(`@neondatabase/serverless has changed: ${how}. Adapt db/build-neon-http.mjs.`)
}

function find(pattern) {
  const found = pattern.exec(source)
  if (found === null) throw changed(`${pattern} is not in it`)
  return found
}

/** Replaces the one stretch of `text` from `start` up to `end`. */
function cut(text, start, end, replacement) {
  const from = text.indexOf(start)
  const to = text.indexOf(end, from)
  if (from < 0 || to < 0 || text.includes(start, from + 1)) throw changed(`"${start}" is not in it once`)
  return text.slice(0, from) + replacement + text.slice(to)
}

const end = source.indexOf(WEBSOCKET_HALF)
if (end < 0) throw changed(`"${WEBSOCKET_HALF}" is not in it`)
const [, types] = find(PG_TYPES)
const [, error, neon, config] = find(EXPORTS)
let half = source.slice(0, end)
const parts = half.match(LAZY_PART)?.length ?? 0
if (parts !== LAZY_PARTS) throw changed(`${parts} lazy parts, not ${LAZY_PARTS}`)

half = half.replace(LAZY_PART, '$1/* @__PURE__ */').replaceAll(';se(', ';/* @__PURE__ */se(')
for (const part of UNUSED_PARTS) half = cut(half, ...part)

mkdirSync(dirname(OUT), { recursive: true })
writeFileSync(
  OUT,
  `${half}\nvar types=we(${types}());export{${error} as NeonDbError,${neon} as neon,${config} as neonConfig,types};\n`,
)
