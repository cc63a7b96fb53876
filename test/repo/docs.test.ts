import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const MAP = 'docs/design/structure.md'
const pagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith('.md') ? [join(folder, name)] : []))
const PAGES = [...pagesIn('docs'), ...pagesIn('docs/design')]
const DOCS = ['README.md', 'CONTRIBUTING.md', 'client/README.md', ...PAGES, ...pagesIn('docs/decisions')]
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** GitHub's name for a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/ /g, '-')
const anchorsIn = (path: string): string[] =>
  [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => anchorOf(text))

test('behavior: every link of every page leads somewhere', () => {
  const broken = DOCS.flatMap((doc) =>
    [...read(doc).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].flatMap(([link, path = '', anchor]) => {
      const target = path === '' ? doc : join(dirname(doc), path)
      if (!existsSync(join(ROOT, target))) return [`${doc}: ${link}`]
      return anchor === undefined || anchorsIn(target).includes(anchor) ? [] : [`${doc}: ${link}`]
    }),
  )
  expect(broken).toEqual([])
})

/** Repository paths that a page links to. */
const linksOf = (page: string): string[] =>
  [...read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => join(dirname(page), path))

test('behavior: the map links every page, and every first page links the map', () => {
  expect(PAGES.filter((page) => page !== MAP && !linksOf(MAP).includes(page))).toEqual([])
  const first = ['README.md', 'CONTRIBUTING.md', 'docs/buying.md', 'docs/operating.md']
  expect(first.filter((page) => !linksOf(page).includes(MAP))).toEqual([])
})

test('behavior: the code writes every event that an alert waits for', () => {
  const sources = ['worker', 'facilitator'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(resolve(ROOT, folder, name), 'utf8')),
  )
  const code = sources.join('\n')
  const [, table = ''] = read('docs/runbook.md').split('## Alerts')
  const rows = (table.split('\n### ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
  const events = rows.flatMap((row) => [...row.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, name = '']) => name))
  const fields = events.filter((name) => !name.startsWith('payments.'))
  expect(fields.length).toBeGreaterThan(8)
  expect([...new Set(fields)].filter((name) => !code.includes(`'${name}'`))).toEqual([])
})

test('behavior: each term of the glossary is found in the file that its row names', () => {
  const [, glossary = ''] = read(MAP).split('## Glossary')
  const rows = [...glossary.matchAll(/^\| ([a-z ]+?) +\| (.+?) +\| \[`([^`]+)`\]/gm)]
  expect(rows.length).toBeGreaterThan(15)
  const terms = rows.map(([, term = '']) => term)
  expect(terms).toEqual(terms.toSorted())
  expect(rows.filter(([, term = '', , file = '']) => !read(file).toLowerCase().includes(term))).toEqual([])
})

test('behavior: decisions are numbered from 1 without gap, in the name and in the heading', () => {
  const numbers = pagesIn('docs/decisions').map((path) => [Number(/(\d{4})-/.exec(path)?.[1]), heading(path)])
  expect(numbers).toEqual(numbers.map((_, index) => [index + 1, index + 1]))
})

const heading = (path: string): number => Number(/^# (\d+)\. /.exec(read(path))?.[1])

test('behavior: each test file that a page names to run is there', () => {
  const FOLDERS = [
    'worker',
    'protocol',
    'db',
    'bench',
    'client',
    'dev',
    'facilitator',
    'ops',
    'test',
    'contracts',
    'web',
  ]
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
      .map((name) => `${folder}/${name}`),
  )
  const named = DOCS.flatMap((doc) =>
    [...read(doc).matchAll(/vitest run --project \w+ ([^`|\n]+)/g)].flatMap(([, words = '']) =>
      words.split(' ').flatMap((word) => (word.includes('/') ? [{ doc, word }] : [])),
    ),
  )
  expect(named.length).toBeGreaterThan(5)
  // In this one the reader writes a name.
  const missing = named.filter(({ word }) => !word.endsWith('/FILE') && !files.some((file) => file.includes(word)))
  expect(missing).toEqual([])
})
