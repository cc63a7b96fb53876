import { expect, it } from 'vitest'
import { LANGUAGES, type Tag } from '../../../shared/languages.ts'
import { breakable, reordered, shapeOf, untranslated } from '../../../shared/text-shape.ts'
import { moment, percent, span, usdc } from '../format.ts'
import { DICTIONARIES, useDictionary } from './active.ts'
import type { Unit } from './times.ts'

const OTHERS = LANGUAGES.map(({ tag }) => tag).filter((tag) => tag !== 'en')
const isCompared = (line: string): boolean => !/^\.(shared\.format|times)/.test(line)
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ')

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
  useDictionary(await DICTIONARIES[tag]())
  const [amount, share, time, day] = written
  expect([usdc(1_250_500_000n), percent(1250), span(3 * 86_400 + 4 * 3_600)].map(plain)).toEqual([amount, share, time])
  expect(moment(Date.UTC(2026, 10, 27, 12) / 1_000)).toContain(day)
})

/** In Arabic the month is a word, as on the main site: `29/11/2026` reads from both sides there. */
const dateOptions = (tag: Tag): Intl.DateTimeFormatOptions =>
  tag === 'ar'
    ? { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit' }
    : { dateStyle: 'medium', timeStyle: 'short' }
const UNITS: readonly Unit[] = ['day', 'hour', 'minute', 'second']

it.each(LANGUAGES)('default: times and shares in $tag are written as by Intl', async ({ tag }) => {
  const dictionary = await DICTIONARIES[tag]()
  useDictionary(dictionary)
  const { locale } = dictionary.shared.format
  const dates = new Intl.DateTimeFormat(locale, dateOptions(tag))
  for (let month = 0; month < 12; month += 1) {
    for (const [day, hour, minute] of [
      [1, 0, 5],
      [9, 9, 59],
      [12, 12, 0],
      [28, 23, 7],
    ] as const) {
      const date = new Date(2026, month, day, hour, minute)
      expect(plain(moment(date.getTime() / 1_000))).toBe(plain(dates.format(date)))
    }
  }
  const list = new Intl.ListFormat(locale, { type: 'unit' })
  for (const unit of UNITS) {
    const counts = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
    for (let count = 0; count <= 400; count += 1)
      expect(plain(dictionary.times.count[unit](count))).toBe(plain(counts.format(count)))
  }
  expect(plain(span(3 * 86_400 + 4 * 3_600))).toBe(
    plain(list.format([dictionary.times.count.day(3), dictionary.times.count.hour(4)])),
  )
  const shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
  for (const bps of [0, 1, 50, 1_250, 1_257, 10_000])
    expect(plain(percent(bps))).toBe(plain(shares.format(bps / 10_000)))
})

it('default: a number stays on the line of its unit', async () => {
  useDictionary(await DICTIONARIES.ja())
  expect(span(29 * 86_400 + 23 * 3_600)).toBe('29\u00a0日 23\u00a0時間')
})

it.each(LANGUAGES)('behavior: no line ends before a unit or a French sign in $tag', async ({ tag }) => {
  const { messages, times } = await DICTIONARIES[tag]()
  expect(breakable([messages, times.percent])).toEqual([])
})

it('behavior: Arabic keeps an amount and its unit together, from left to right', async () => {
  expect(reordered((await DICTIONARIES.ar()).messages)).toEqual([])
  expect(reordered((await DICTIONARIES.en()).messages).length).toBeGreaterThan(5)
})
