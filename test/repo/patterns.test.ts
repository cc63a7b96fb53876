import { analyse } from 'scslre'
import { type ESTree, parseSync, Visitor } from 'vite'
import { expect, it } from 'vitest'
import { handWritten, isTest, lineAt } from './sources/files.ts'

const FOLDERS = /^(worker|mcp|facilitator|client\/(src|mcp|node)|db|protocol)\//

/** Patterns that are made at run time: of the site's own rules, and of numbers. */
const MADE_AT_RUN_TIME = [
  'client/node/receipt.ts',
  'worker/domain/auth/nonce.ts',
  'worker/config/schemas.ts',
  'worker/node/header-rules.ts',
  'worker/node/site.ts',
]

interface Pattern {
  place: string
  path: string
  regex: ESTree.RegExpLiteral['regex'] | null
}

function patternsOf({ path, text }: { path: string; text: string }): Pattern[] {
  const found: Pattern[] = []
  const place = (start: number): string => `${path}:${lineAt(text, start)}`
  new Visitor({
    Literal(node) {
      if ('regex' in node) found.push({ path, place: place(node.start), regex: node.regex })
    },
    NewExpression(node) {
      if (node.callee.type === 'Identifier' && node.callee.name === 'RegExp')
        found.push({ path, place: place(node.start), regex: null })
    },
  }).visit(parseSync(path, text).program)
  return found
}

const files = handWritten(/\.ts$/).filter((file) => FOLDERS.test(file.path) && !isTest(file))
const patterns = files.flatMap(patternsOf)

it('error: G2 no pattern takes more than linear time, whatever text it meets', () => {
  const literals = patterns.flatMap(({ place, regex }) => (regex === null ? [] : [{ place, regex }]))
  expect(literals.length).toBeGreaterThan(100)
  const slow = literals.flatMap(({ place, regex: { pattern, flags } }) =>
    analyse({ source: pattern, flags }).reports.map(({ type }) => `${place} ${type} /${pattern}/${flags}`),
  )
  expect(slow).toEqual([])
})

it('error: G2 a pattern is a literal, so that it can be checked', () => {
  const made = new Set(patterns.filter(({ regex }) => regex === null).map(({ path }) => path))
  expect([...made].filter((path) => !MADE_AT_RUN_TIME.includes(path))).toEqual([])
})
