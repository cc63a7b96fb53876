import { afterAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { catalogue } from '../../../../worker/domain/models/catalogue.ts'
import { LANGUAGES, languageAt, pathIn, withoutLanguage } from '../../../shared/languages.ts'
import { approximatePrice, formatDecimal } from '../../../shared/money.ts'
import { breakable, reordered, shapeOf } from '../../../shared/text-shape.ts'
import problems from '../generated/problems.json' with { type: 'json' }
import { type Messages, messages, type PageMessages, useMessages } from './active.ts'
import { messages as english } from './en.ts'

const TAGS = LANGUAGES.map(({ tag }) => tag)
const OTHERS = TAGS.filter((tag) => tag !== 'en')
const PARTS = ['', '-purchase', '-wallets', '-pages', '-trust']

const load = (tag: string, part: string): Promise<Record<string, unknown>> =>
  import(/* @vite-ignore */ `./${tag}${part}.ts`)
const firstPage = async (tag: string): Promise<{ messages: Messages }> => import(/* @vite-ignore */ `./${tag}.ts`)
const pages = async (tag: string): Promise<{ pageMessages: PageMessages }> =>
  import(/* @vite-ignore */ `./${tag}-pages.ts`)

// Test files share the module: the next one reads English.
afterAll(() => useMessages({ messages: english }))

/** Not part of the comparison: number rules, and texts for what the service writes in English. */
const isCompared = (line: string): boolean =>
  !/^\.(messages\.shared\.format|later|purchaseMessages\.problems)/.test(line)

const recordSchema = z.record(z.string(), z.string())
const inputSchema = z.object({
  properties: z.record(z.string(), z.object({ title: z.string().optional(), description: z.string().optional() })),
  required: z.array(z.string()).default([]),
})

/** Titles and descriptions of all inputs but the prompt, which the form names itself. */
function inputTexts(): string[] {
  const texts = catalogue.flatMap((model) => {
    const { properties, required } = inputSchema.parse(model.inputJsonSchema)
    const settings = Object.entries(properties).filter(([name]) => !required.includes(name))
    return settings.flatMap(([, { title, description }]) => [title ?? '', description ?? ''])
  })
  return [...new Set(texts)].filter((text) => text !== '' && text !== 'Top p')
}

describe.each(OTHERS)('%s', (tag) => {
  it('default: has the same keys, placeholders and lists as English', async () => {
    for (const part of PARTS) {
      const [own, model] = await Promise.all([load(tag, part), load('en', part)])
      expect(shapeOf(own).filter(isCompared).toSorted()).toEqual(shapeOf(model).filter(isCompared).toSorted())
    }
  })

  it('default: names every problem; the text of a model or an input that is missing is English', async () => {
    const titles = recordSchema.parse((await load(tag, '-problems'))['problems'])
    expect(Object.keys(titles).toSorted()).toEqual(problems.map(({ code }) => code).toSorted())
    const service = z.object({ models: recordSchema, inputs: recordSchema })
    const { models, inputs } = service.parse((await load(tag, '-service'))['serviceMessages'])
    const missing = [
      ...catalogue.map(({ id }) => id).filter((id) => models[id] === undefined),
      ...inputTexts().filter((text) => inputs[text] === undefined),
    ]
    if (missing.length > 0) console.warn(`${tag}-service.ts lacks ${missing.join(', ')}: shown in English`)
    expect(Object.keys(models).filter((id) => catalogue.every((model) => model.id !== id))).toEqual([])
  })
})

it.each(TAGS)('default: numbers and prices in %s are written as Intl writes them', async (tag) => {
  useMessages(await firstPage(tag))
  const { locale } = messages.shared.format
  // Intl uses several kinds of spaces and direction marks.
  const plain = (text: string): string =>
    text.replace(/[\u00a0\u202f]/g, ' ').replace(/[\u200e\u200f\u061c\u2066\u2069]/g, '')
  const options = { minimumFractionDigits: 2, maximumFractionDigits: 18 }
  for (const value of ['0', '0.5', '999.999999', '0.123456789012345678', '1000', '12345.6', '1234567'] as const) {
    expect(plain(formatDecimal(value))).toBe(plain(new Intl.NumberFormat(locale, options).format(value)))
  }
  const dollars = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' })
  expect(plain(approximatePrice('1.205'))).toBe(`≈ ${plain(dollars.format(1.21))}`)
})

it.each([
  ['en', ['7 runs', '1 run', '2 runs', '3 runs']],
  ['es', ['7 ejecuciones', '1 ejecución', '2 ejecuciones', '3 ejecuciones']],
  ['pt-BR', ['7 execuções', '1 execução', '2 execuções', '3 execuções']],
  ['fr', ['7 exécutions', '1 exécution', '2 exécutions', '3 exécutions']],
  ['de', ['7 Läufe', '1 Lauf', '2 Läufe', '3 Läufe']],
  ['zh-Hans', ['7 次', '1 次', '2 次', '3 次']],
  ['ja', ['7回', '1回', '2回', '3回']],
  ['ar', ['7 عمليات تشغيل', 'تشغيل واحد', 'تشغيلان', '3 عمليات تشغيل']],
] as const)('default: plural forms of %s', async (tag, said) => {
  const { countRuns } = (await pages(tag)).pageMessages.stats
  expect([7, 1, 2, 3].map((count) => countRuns(count, `${count}`))).toEqual(said)
})

it('behavior: Arabic keeps amounts, references and addresses from being reordered', async () => {
  const { common } = (await firstPage('ar')).messages
  expect(common.money('0.1', 'USDC')).toContain('\u20660.1\u00a0USDC\u2069')
  expect(common.money('0.1', common.wrappedAic)).toContain('\u20660.1\u00a0AIC\u2069 ')
  const { purchaseMessages } = await import('./ar-purchase.ts')
  expect(purchaseMessages.stopped.reference('0123-ab')).toContain('\u20660123-ab\u2069')
  expect(purchaseMessages.stages.awaiting_sign_in('0x12…ab')).toContain('\u20660x12…ab\u2069')
  const parts = await Promise.all(PARTS.map(async (part) => Object.values(await load('ar', part))))
  expect(reordered(parts)).toEqual([])
})

it('behavior: an address says its language, and keeps its path in each', () => {
  for (const language of LANGUAGES) {
    for (const path of ['/', '/history', '/i/some-id']) {
      expect(languageAt(pathIn(language, path))).toBe(language)
      expect(withoutLanguage(pathIn(language, path))).toBe(path)
    }
  }
  expect([withoutLanguage('/es'), languageAt('/estimates').tag, withoutLanguage('/estimates')]).toEqual([
    '/',
    'en',
    '/estimates',
  ])
})

it.each(TAGS)('behavior: %s keeps a number and its unit on one line', async (tag) => {
  const { common, shared } = (await firstPage(tag)).messages
  expect(common.money('0.1', 'USDC')).toContain('0.1\u00a0USDC')
  const { cents, seconds, minutes, dollars } = shared.format
  expect([cents, seconds, minutes, dollars].map((write) => write('5')).join('')).not.toContain(' ')
  const parts = tag === 'en' ? PARTS : [...PARTS, '-service', '-problems']
  expect(breakable(await Promise.all(parts.map((part) => load(tag, part))))).toEqual([])
})
