// Writes `@signinwithethereum/siwe-parser` without the text of its grammar, which only a method for printing uses: 10 KiB that a
// bundler keeps. Wrangler runs this before it bundles (`[build]` and `[alias]` in wrangler.toml). The rest stays as it is, and a
// version that looks different ends in an error.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..')
const OUT = join(ROOT, 'node_modules/.cache/siwe/parsers.mjs')
const PRINTING = /this\.toString = function\(\) \{\s*let e = "";\s*return (e \+= "(?:[^"\\]|\\.)*", )+e;\s*\};/

const require = createRequire(createRequire(import.meta.url).resolve('siwe'))
const source = readFileSync(join(dirname(require.resolve('@signinwithethereum/siwe-parser')), 'parsers.mjs'), 'utf8')
const printing = PRINTING.exec(source)?.[0]
if (printing === undefined || !printing.includes('sign-in-with-ethereum ='))
  throw new Error('@signinwithethereum/siwe-parser has changed. Adapt worker/auth/build-siwe-parser.mjs.')

mkdirSync(dirname(OUT), { recursive: true })
writeFileSync(OUT, source.replace(printing, 'this.toString = () => "";'))
