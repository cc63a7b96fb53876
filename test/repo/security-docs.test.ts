import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const text = readFileSync(resolve(root, 'docs/security.md'), 'utf8')

/** `file` › `words of a test in it`, as the tables write it. */
const named = [...text.matchAll(/`([^`]+)` › `([^`]+)`/g)].map(([, file = '', words = '']) => ({ file, words }))

/** Words in a string may have escaped quotes. */
const isIn = (source: string, words: string): boolean =>
  [source, source.replaceAll("\\'", "'")].some((s) => s.includes(words))

describe('docs/security.md', () => {
  it('behavior: every test it names exists, word for word', () => {
    expect(named.length).toBeGreaterThan(150)
    const missing = named.filter(({ file, words }) => {
      const path = resolve(root, file)
      return !existsSync(path) || !isIn(readFileSync(path, 'utf8'), file.endsWith('.sol') ? `${words}(` : words)
    })
    expect(missing).toEqual([])
  })

  it('behavior: every fault has its number in order and at least one test', () => {
    const rows = text.split('\n').filter((line) => /^\| \d+ \|/.test(line))
    expect(rows.map((row) => Number(row.split('|')[1]))).toEqual(rows.map((_, index) => index + 1))
    expect(rows.filter((row) => !row.includes('` › `'))).toEqual([])
  })

  it('behavior: every demand has a test, or says that it is not met', () => {
    const demands = text.split('\n').filter((line) => /^\| \d+\.\d+\.\d+/.test(line))
    expect(demands.length).toBeGreaterThan(45)
    expect(demands.filter((row) => !row.includes('` › `') && !row.includes('**not offered**'))).toEqual([])
  })

  it('behavior: the files and folders it points at are there', () => {
    const links = [...text.matchAll(/\]\(([^)#]+)(#[^)]*)?\)/g)].map(([, path = '']) => path)
    expect(links.filter((path) => !existsSync(resolve(root, 'docs', path)))).toEqual([])
  })
})
