import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import pages from '../docs/problems.json' with { type: 'json' }
import { PROBLEMS } from '../protocol/problems.ts'
import { fieldErrors } from './errors.ts'

describe('problem pages', () => {
  it('default: every code has a page with a cause and a fix, and no other page exists', () => {
    expect(Object.keys(pages)).toEqual(Object.keys(PROBLEMS))
    const page = z.strictObject({ cause: z.string().min(20), cure: z.string().min(20) })
    for (const [code, text] of Object.entries(pages)) expect(page.safeParse(text).success, code).toBe(true)
  })
})

it('behavior: by default only a 402 asks for a new payment: it states the first one', () => {
  const asking = Object.values(PROBLEMS).filter(({ nextAction }) => nextAction === 'sign_new_payment')
  expect(asking.map(({ status }) => status)).toEqual([402, 402, 402])
})

it('behavior: a refused name is cut by its characters, and only then ends in dots', () => {
  const refused = (name: string) => z.strictObject({}).safeParse({ [name]: 1 }).error
  const pathOf = (name: string) => fieldErrors(refused(name) ?? new z.core.$ZodError([])).map(({ path }) => path)
  expect(pathOf('🙂'.repeat(60))).toEqual(['🙂'.repeat(60)])
  expect(pathOf('🙂'.repeat(101))).toEqual([`${'🙂'.repeat(100)}…`])
})
