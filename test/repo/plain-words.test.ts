import { expect, it } from 'vitest'
import { findHabits, HABITS } from './plain-words.ts'
import { prose } from './sources/prose.ts'

const offences = findHabits()

it.each(HABITS.map(({ name, instead }) => ({ name, instead })))(
  'default: "$name" is not in comments, titles and docs',
  ({ name, instead }) => {
    const found = offences.filter(({ habit }) => habit.name === name).map(({ path, line }) => `${path}:${line}`)
    expect(found, `Write instead: ${instead}.`).toEqual([])
  },
)

it('behavior: only comments, test titles and sentences of Markdown are read', () => {
  const source = "/** A told\n * story. */\nconst told = 'told'\nit('error: told', () => f('told')) // told\n"
  expect(prose({ path: 'a.test.ts', text: source }).match(/told/g)).toHaveLength(3)
  expect(
    prose({ path: 'a.md', text: '# Told\n`told`\n```\ntold\n```\nnot [told](told.md)\n' }).match(/told/gi),
  ).toHaveLength(2)
  expect(prose({ path: 'a.sol', text: '/// told\nuint told; // told' }).match(/told/g)).toHaveLength(2)
  expect(prose({ path: 'a.yaml', text: 'told: 1 # told' }).match(/told/g)).toHaveLength(1)
})
