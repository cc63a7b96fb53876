import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { handWritten, ROOT, type TextFile } from './sources/files.ts'

const files = handWritten(/\.(tsx?|[mc]js|md|sol|sql|css|html|json|toml|ya?ml|example)$/)
const paths = files.map(({ path }) => path)
const scripts: object = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts
/** Pages that say what is true now. Decisions name what was there when they were taken. */
const pages = files.filter(({ path }) => path.endsWith('.md') && !path.startsWith('docs/decisions/'))
const code = files
  .filter(({ path }) => !path.endsWith('.md'))
  .map(({ text }) => text)
  .join('\n')

/** The names in the texts that fit this pattern and that `isThere` does not know, as `file: name`. */
const missing = (texts: readonly TextFile[], pattern: RegExp, isThere: (name: string) => boolean): string[] =>
  texts.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].flatMap(([, name = '']) => (isThere(name) ? [] : [`${path}: ${name}`])),
  )

test('behavior: every npm script that a page, a comment or a message names is there', () => {
  expect(missing(files, /npm run (?:--silent )?([a-z][\w:]*)/g, (name) => name in scripts)).toEqual([])
})

test('behavior: every file that a page names is there', () => {
  /** Builds make these, or the reader does. */
  const isMade = (name: string): boolean =>
    /\bdist\b|NNNN|NAME|^\.coinslot\/|^contracts\/launch\/base\.json$/.test(name)
  const isThere = (name: string): boolean =>
    isMade(name) || existsSync(join(ROOT, name)) || paths.some((path) => `/${path}`.endsWith(`/${name}`))
  const named = /`(?:\.\.?\/)*((?:(?!\.\.?\/)[\w.-]+\/)+[\w.-]+\.(?:tsx?|mjs|md|sql|sol|json|toml|conf|example))`/g
  expect(missing(pages, named, isThere)).toEqual([])
})

/** Each is more to read in a list that everyone reads. A new one may become a name of `build`, `generate` or `contracts`. */
const MOST_SCRIPTS = 30

test('behavior: there are at most 30 npm scripts', () => {
  expect(Object.keys(scripts).length).toBeLessThanOrEqual(MOST_SCRIPTS)
})

test('behavior: every function that a page names is in the code', () => {
  const isThere = (name: string): boolean => code.includes(name)
  expect(missing(pages, /`([a-z]+[A-Z]\w*)(?:\(\))?`/g, isThere)).toEqual([])
})

test("behavior: every command of the operator's table installs what is missing first", () => {
  const [, table = ''] = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8').split('## The commands')
  const names = [...table.matchAll(/^\| `npm run ([\w:]+)/gm)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(5)
  const installs = new Map(
    Object.entries(scripts).map(([name, line]) => [name, String(line).startsWith('node dev/run.mjs ')]),
  )
  expect(names.filter((name) => installs.get(name) !== true)).toEqual([])
})
