import { expect, it } from 'vitest'
import { handWritten, isTest } from './sources/files.ts'
import { readModules } from './sources/modules.ts'
import { titlesIn } from './sources/prose.ts'

const MEDIAN_LINES = { least: 55, most: 110 }
const FILE_LINES = 300
const FUNCTION_LINES = 60
const TITLE_CHARACTERS = 90

/** Functions that are one table: a list of fields, rows or schemas without steps. */
const TABLES = [
  'db/queries/payment-row.ts anonymous',
  'worker/http/openapi/schemas/inference.ts makeInferenceAnswers',
  'worker/http/openapi/schemas/problem.ts makeProblems',
  'worker/http/openapi/schemas/reads.ts makeReadAnswers',
]

const modules = readModules()
const sources = modules.filter((module) => !isTest(module))

it('default: the median source file has 55 to 110 lines', () => {
  const sizes = sources.map(({ lines }) => lines).sort((a, b) => a - b)
  const median = sizes[Math.floor(sizes.length / 2)]
  expect(median).toBeGreaterThanOrEqual(MEDIAN_LINES.least)
  expect(median).toBeLessThanOrEqual(MEDIAN_LINES.most)
})

it('default: no hand-written file has more than 300 lines', () => {
  const long = handWritten(/\.(tsx?|mjs|sol|sql|css|html)$/).flatMap(({ path, text }) => {
    const lines = text.split('\n').length - 1
    return lines > FILE_LINES ? [`${path}: ${lines} lines`] : []
  })
  expect(long).toEqual([])
})

it('default: no function has more than 60 lines, except tables and groups of tests', () => {
  const longEnough = modules.filter(({ lines }) => lines > FUNCTION_LINES)
  const long = longEnough.flatMap(({ path, functions }) =>
    functions()
      .filter(({ name, lines }) => lines > FUNCTION_LINES && !TABLES.includes(`${path} ${name}`))
      .map(({ name, line, lines }) => `${path}:${line} ${name}: ${lines} lines`),
  )
  expect(long).toEqual([])
})

it('default: no test title has 90 characters or more', () => {
  const titles = modules.filter(isTest).flatMap((file) => titlesIn(file).map((title) => ({ path: file.path, title })))
  const long = titles.filter(({ title }) => title.length >= TITLE_CHARACTERS)
  expect(long.map(({ path, title }) => `${path}: ${title}`)).toEqual([])
})
