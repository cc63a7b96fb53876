import { lookUp, type Meaning } from './lexicon.ts'
import { createRandom, hashText, pick, type Random } from './random.ts'
import type { EngineResult } from './result.ts'
import { bestSentences, contentWords, keywords, splitSentences } from './words.ts'

/** The words of a text, each with the space before it. They stand for a model's tokens. */
export const piecesOf = (text: string): string[] => text.match(/\s*\S+/g) ?? []

/** A summary, keywords, definitions, ideas or the start of a text, as the prompt asks. */
export function write(prompt: string, input: Record<string, unknown>, seed: number): EngineResult {
  const random = createRandom(seed ^ hashText(prompt))
  const text = `${reply(prompt.trim(), random)}\n\n${note(prompt)}`
  const limit = Number(input['max_tokens'] ?? input['max_completion_tokens'] ?? 512) || 512
  const pieces = piecesOf(text).slice(0, limit)
  return { files: [], pieces, logs: [`Seed ${seed}`, `${pieces.length} pieces`] }
}

/** Every answer says what wrote it, and which words of the prompt it used. */
function note(prompt: string): string {
  const words = contentWords(prompt).slice(0, 8)
  const by = words.length === 0 ? '' : `Your words: ${words.join(', ')}. `
  return `(${by}From the built-in writing helper of this local stack: rules, templates and the WordNet lexicon, not a language model. Set LOCAL_LLM_URL to use a real one.)`
}

function reply(prompt: string, random: Random): string {
  const material = materialOf(prompt)
  if (/\bkey ?words?\b|\btags?\b/i.test(prompt)) return keywordReply(material ?? prompt)
  if (/\bsummar|\btl;?dr\b|\bkey points\b|\bshorten\b/i.test(prompt) && material) return summaryReply(material)
  if (/\bpoem|\bhaiku|\bverse|\brhyme/i.test(prompt)) return poem(subjectOf(prompt), random)
  if (/\bstory|\btale|\bnovel|\bscene\b/i.test(prompt)) return story(subjectOf(prompt), random)
  if (/\bideas?\b|\bnames?\b|\blist\b|\btips?\b|\bslogans?\b/i.test(prompt)) return ideas(prompt, random)
  return explain(prompt)
}

/** The text to work on: what follows a colon or a line break, if it is longer than a phrase. */
function materialOf(prompt: string): string | undefined {
  const text = /[:\n]\s*([\s\S]{80,})$/.exec(prompt)?.[1] ?? (splitSentences(prompt).length > 3 ? prompt : undefined)
  return text?.trim()
}

/** The subject of the prompt, without the words of the instruction. */
function subjectOf(prompt: string): string {
  const first = splitSentences(prompt)[0] ?? prompt
  const about =
    /\babout\s+(.{3,})$/i.exec(first)?.[1] ?? /\b(?:why|how|what is|what are)\s+(.{3,})$/i.exec(first)?.[1] ?? first
  const bare = about
    .replace(/^(?:please|could you|can you|write|explain|describe|define|tell me|compare|draft|summari[sz]e)\s+/i, '')
    .replace(/^in (?:a|one|two|three|four|five|\d+) (?:short )?(?:sentences?|words?|paragraphs?)\s*/i, '')
    .replace(/[.!?\s]+$/, '')
  return bare.split(/\s+/).slice(0, 14).join(' ') || prompt.slice(0, 60)
}

function summaryReply(text: string): string {
  const count = Math.max(1, Math.min(3, Math.ceil(splitSentences(text).length / 3)))
  return `In short: ${bestSentences(text, count).join(' ')}\n\nMost used words: ${keywords(text, 6).join(', ')}.`
}

function keywordReply(text: string): string {
  const found = keywords(text, 10)
  return `Keywords, the most used first:\n${found.map((word, index) => `${index + 1}. ${word}`).join('\n')}\n\nThey come from ${splitSentences(text).length} sentences with ${contentWords(text).length} different words of content.`
}

/** WordNet definitions of the words in the prompt. The text says that it does not know how they relate. */
function explain(prompt: string): string {
  const meanings = meaningsIn(prompt)
  const subject = subjectOf(prompt)
  if (meanings.length === 0) {
    return `On ${subject}: my lexicon has no entry for this, so here is a plan instead. Say in one plain sentence what it is. Name the cause or rule behind it. Give one example that can be seen or tried. End with what is still unknown.`
  }
  const entries = meanings.map(({ word, gloss, kindOf, examples }) => {
    const kind = kindOf === undefined || kindOf === word ? '' : ` It is a kind of ${kindOf}.`
    const example = examples[0] === undefined ? '' : ` For example: “${examples[0]}”.`
    return `${capital(word)}: ${gloss}.${kind}${example}`
  })
  const link = `\n\nThat is what the words mean. How they belong together in “${subject}” takes knowledge of the world, which a lexicon has not: this is where a language model or you go on.`
  return `${entries.join('\n\n')}${meanings.length > 1 ? link : ''}`
}

/** Up to three meanings. Pairs of words come first: `water cycle` has its own entry. */
function meaningsIn(prompt: string): Meaning[] {
  const words = prompt.match(/[A-Za-z][A-Za-z'-]+/g) ?? []
  const pairs = words.flatMap((word, index) => {
    const next = words[index + 1]
    return next !== undefined && contentWords(`${word} ${next}`).length === 2 ? [`${word} ${next}`] : []
  })
  const found: Meaning[] = []
  for (const phrase of [...pairs, ...contentWords(prompt)]) {
    const meaning = found.some(({ word }) => word.split(' ').includes(phrase.toLowerCase()))
      ? undefined
      : lookUp(phrase)
    if (meaning) found.push(meaning)
  }
  // Nouns first; words such as `look` and `small` only if there is nothing else.
  const things = found.filter(({ part }) => part === 'noun')
  return (things.length > 0 ? things : found).slice(0, 3)
}

const OPENINGS = [
  'Nobody in the village spoke of it aloud, yet everyone had a view on',
  'It began on the last warm evening of the year, with',
  'Long after the others had gone home, one lamp still burned for',
  'The letter held a key, no name, and three words about',
] as const
const HEROES = ['Elif', 'Jonas', 'Marisol', 'Tomek', 'Anneke', 'Idris'] as const
const FINDS = ['a folded map', 'a clock that ran backwards', 'a box of unsent letters', 'wet footprints'] as const
const TURNS = [
  'By morning the tide had taken half of the answer, and left the better half.',
  'It was not courage that opened the door, only the wish to be done with wondering.',
  'What came next was quiet, and changed everything.',
] as const

function story(subject: string, random: Random): string {
  const hero = pick(random, HEROES)
  return [
    `${pick(random, OPENINGS)} ${subject}.`,
    `${hero} had promised to leave it alone. But that night ${hero} found ${pick(random, FINDS)}, exactly where the old stories said it would be.`,
    `“If this is about ${subject},” ${hero} said to the dark, “then I have waited long enough.”`,
    pick(random, TURNS),
  ].join('\n\n')
}

const IMAGES = ['the light', 'a quiet rain', 'the turning year', 'a door ajar', 'the patient sea'] as const
const VERBS = ['remembers', 'carries', 'forgives', 'repeats', 'answers'] as const

function poem(subject: string, random: Random): string {
  const start = Math.floor(random() * IMAGES.length)
  const lines = [0, 2, 4].map((step) => {
    const image = IMAGES[(start + step) % IMAGES.length] ?? IMAGES[0]
    return `${capital(image)} ${VERBS[(start + step * 2) % VERBS.length] ?? VERBS[0]}`
  })
  return [
    `${capital(subject)}:`,
    `${lines[0]} what the morning knew,`,
    `${lines[1]} the names we gave to you;`,
    `${lines[2]}, and all the evening long`,
    `one small, plain word holds on inside the song.`,
  ].join('\n')
}

const ANGLES = ['The Quiet', 'Morning', 'Second', 'North', 'Golden', 'Little', 'Open', 'Old'] as const

function ideas(prompt: string, random: Random): string {
  const words = contentWords(prompt).filter((word) => !/^(ideas?|names?|list|tips?|slogans?)$/i.test(word))
  const [first = 'idea', second = first] = words
  const start = Math.floor(random() * ANGLES.length)
  const lines = [0, 1, 2, 3, 4].map((index) => {
    const angle = ANGLES[(start + index * 3) % ANGLES.length] ?? ANGLES[0]
    return `${index + 1}. ${angle} ${capital(words[index % words.length] ?? first)}`
  })
  return `Five to start from, built on ${first} and ${second}:\n${lines.join('\n')}\nKeep the one that you would say aloud twice, and change one word of it.`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
