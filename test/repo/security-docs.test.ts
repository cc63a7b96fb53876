import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const text = readFileSync(resolve(root, 'docs/security.md'), 'utf8')
const lines = text.split('\n')

/** The files and folders that the page names from the root of the repository. */
const places = [...text.matchAll(/`((?:worker|facilitator|client|mcp|db|web|dev|test|contracts)\/[^\s`*]*)`/g)].map(
  ([, place = '']) => place,
)

describe('docs/security.md', () => {
  it('behavior: every file and folder that it names exists', () => {
    expect(places.length).toBeGreaterThan(50)
    expect(places.filter((place) => !existsSync(resolve(root, place)))).toEqual([])
  })

  it('behavior: every demand has a test, or says that it is not met', () => {
    const demands = lines.filter((line) => /^\| \d+\.\d+\.\d+/.test(line))
    expect(demands.length).toBeGreaterThan(45)
    expect(demands.filter((row) => !/\.(test|spec)\.ts`/.test(row) && !row.includes('**not offered**'))).toEqual([])
  })

  it('behavior: the files and folders it points at are there', () => {
    const links = [...text.matchAll(/\]\(([^)#]+)(#[^)]*)?\)/g)].map(([, path = '']) => path)
    expect(links.filter((path) => !existsSync(resolve(root, 'docs', path)))).toEqual([])
  })

  it('behavior: no part of it is a heading alone', () => {
    const bare = lines.filter((line, index) => /^## /.test(line) && /^## |^$/.test(lines[index + 2] ?? ''))
    expect(bare).toEqual([])
  })
})
