import { expect, it } from 'vitest'
import { LANGUAGES } from '../../../shared/languages.ts'
import { reordered, shapeOf, untranslated } from '../../../shared/text-shape.ts'
import { useShared } from '../../../shared/texts.ts'
import { shared as english } from '../../../shared/words/en.ts'
import { moment, percent, span, usdc } from '../format.ts'
import { DICTIONARIES } from './active.ts'

const OTHERS = LANGUAGES.map(({ tag }) => tag).filter((tag) => tag !== 'en')
const isCompared = (line: string): boolean => !line.startsWith('.shared.format')

it.each(OTHERS)('default: %s has the keys, placeholders and lists of English, and its own texts', async (tag) => {
  const [own, model] = await Promise.all([DICTIONARIES[tag](), DICTIONARIES.en()])
  expect(shapeOf(own).filter(isCompared).toSorted()).toEqual(shapeOf(model).filter(isCompared).toSorted())
  expect(untranslated(own, model)).toEqual([])
})

it.each([
  ['en', '1,250.50', '12.5%', '3 days, 4 hours', 'Nov 27, 2026'],
  ['de', '1.250,50', '12,5 %', '3 Tage, 4 Stunden', '27.11.2026'],
  ['pt-BR', '1.250,50', '12,5%', '3 dias e 4 horas', '27 de nov. de 2026'],
  ['ja', '1,250.50', '12.5%', '3 日 4 時間', '2026/11/27'],
] as const)('default: amounts, shares, durations and times are written as in %s', async (tag, ...written) => {
  useShared((await DICTIONARIES[tag]()).shared)
  const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ')
  const [amount, share, time, day] = written
  expect([usdc(1_250_500_000n), percent(1250), span(3 * 86_400 + 4 * 3_600)].map(plain)).toEqual([amount, share, time])
  expect(moment(Date.UTC(2026, 10, 27, 12) / 1_000)).toContain(day)
  useShared(english)
})

it('default: a number stays on the line of its unit', async () => {
  useShared((await DICTIONARIES.ja()).shared)
  expect(span(29 * 86_400 + 23 * 3_600)).toBe('29\u00a0日 23\u00a0時間')
  useShared(english)
})

it('behavior: Arabic keeps an amount and its unit together, from left to right', async () => {
  expect(reordered((await DICTIONARIES.ar()).messages)).toEqual([])
  expect(reordered((await DICTIONARIES.en()).messages).length).toBeGreaterThan(5)
})
