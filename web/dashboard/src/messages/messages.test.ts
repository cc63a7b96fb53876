import { expect, it } from 'vitest'
import { LANGUAGES } from '../../../shared/languages.ts'
import { breakable, reordered, shapeOf, untranslated } from '../../../shared/text-shape.ts'
import { useShared } from '../../../shared/texts.ts'
import { shared as english } from '../../../shared/words/en.ts'
import { duration, wholeAic } from '../format.ts'
import { DICTIONARIES } from './active.ts'

const OTHERS = LANGUAGES.map(({ tag }) => tag).filter((tag) => tag !== 'en')
const isCompared = (line: string): boolean => !line.startsWith('.shared.format')

it.each(OTHERS)('default: %s has the keys, placeholders and lists of English, and its own texts', async (tag) => {
  const [own, model] = await Promise.all([DICTIONARIES[tag](), DICTIONARIES.en()])
  expect(shapeOf(own).filter(isCompared).toSorted()).toEqual(shapeOf(model).filter(isCompared).toSorted())
  expect(untranslated(own, model)).toEqual([])
})

it.each([
  ['en', ['1 month', '2 months', '3 months', '11 months']],
  ['es', ['1 mes', '2 meses', '3 meses', '11 meses']],
  ['pt-BR', ['1 mês', '2 meses', '3 meses', '11 meses']],
  ['fr', ['1 mois', '2 mois', '3 mois', '11 mois']],
  ['de', ['1 Monat', '2 Monate', '3 Monate', '11 Monate']],
  ['zh-Hans', ['1 个月', '2 个月', '3 个月', '11 个月']],
  ['ja', ['1か月', '2か月', '3か月', '11か月']],
  ['ar', ['شهر واحد', 'شهران', '3 أشهر', '11 شهرًا']],
] as const)('default: plural forms of %s', async (tag, said) => {
  const { months } = (await DICTIONARIES[tag]()).pageMessages.treasury
  expect([1, 2, 3, 11].map(months)).toEqual(said)
})

it.each([
  ['en', 3 * 86_400 + 4 * 3_600 + 59, '3 days 4 hr'],
  ['en', 3 * 86_400, '3 days'],
  ['en', 725, '12 min 5 sec'],
  ['en', -5, '0 sec'],
  ['de', 3 * 86_400 + 4 * 3_600, '3 Tg. 4 Std.'],
] as const)('default: in %s a duration of %d seconds has its two largest units', async (tag, seconds, written) => {
  useShared((await DICTIONARIES[tag]()).shared)
  expect(duration(seconds).replace(/[\u00a0\u202f]/g, ' ')).toBe(written)
  useShared(english)
})

it.each(LANGUAGES)('behavior: a sum of AIC without its fraction keeps all its groups in $tag', async ({ tag }) => {
  useShared((await DICTIONARIES[tag]()).shared)
  expect(wholeAic(1_234_567n * 10n ** 18n + 9n).replace(/\D/g, '')).toBe('1234567')
  useShared(english)
})

it.each(LANGUAGES)('behavior: no line ends before a unit or a French sign in $tag', async ({ tag }) => {
  const { messages, pageMessages } = await DICTIONARIES[tag]()
  expect(breakable([messages, pageMessages])).toEqual([])
})

it('behavior: Arabic keeps an amount and its unit together, from left to right', async () => {
  const { messages, pageMessages } = await DICTIONARIES.ar()
  expect(reordered([messages, pageMessages])).toEqual([])
})
