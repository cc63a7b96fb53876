const STOP_WORDS = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by can
  could did do does doing down during each few for from further give had has have having he her here hers him his how i if
  in into is it its itself just let like make me more most my no nor not now of off on once one only or other our out over
  own please same she should so some such tell than that the their them then there these they this those through to too
  two three four five under until up us very was we were what when where which while who why will with words would write
  you your sentence sentences short paragraph explain describe define summarise summarize compare tell draft please`.split(
    /\s+/,
  ),
)

/** Words that are not stop words, in order of first use, each once, as written. */
export function contentWords(text: string): string[] {
  const seen = new Map<string, string>()
  for (const word of text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu) ?? []) {
    const key = word.toLowerCase()
    if (key.length > 2 && !STOP_WORDS.has(key) && !seen.has(key)) seen.set(key, word)
  }
  return [...seen.values()]
}

export function splitSentences(text: string): string[] {
  const parts = text.replace(/\s+/g, ' ').match(/[^.!?。]+(?:[.!?。]+|$)/g) ?? []
  return parts.map((sentence) => sentence.trim()).filter((sentence) => sentence.length > 1)
}

/** The `count` sentences whose words the text uses most, in the order of the text. */
export function bestSentences(text: string, count: number): string[] {
  const weights = new Map<string, number>()
  const keys = (sentence: string): string[] => contentWords(sentence).map((word) => word.toLowerCase())
  const sentences = splitSentences(text)
  for (const sentence of sentences) {
    for (const key of keys(sentence)) weights.set(key, (weights.get(key) ?? 0) + 1)
  }
  const ranked = sentences.map((sentence, index) => {
    const found = keys(sentence)
    const sum = found.reduce((total, key) => total + (weights.get(key) ?? 0), 0)
    // Divided by the root of the length, so that long sentences do not win by length alone.
    return { sentence, index, score: sum / Math.sqrt(found.length + 1) + (index === 0 ? 0.5 : 0) }
  })
  const best = ranked.sort((a, b) => b.score - a.score).slice(0, count)
  return best.sort((a, b) => a.index - b.index).map(({ sentence }) => sentence)
}

/** The words by how often the text uses them, most frequent first. */
export function keywords(text: string, count: number): string[] {
  const lower = text.toLowerCase()
  const uses = (word: string): number => lower.split(word.toLowerCase()).length
  return contentWords(text)
    .map((word, index) => ({ word, index, uses: uses(word) }))
    .sort((a, b) => b.uses - a.uses || a.index - b.index)
    .slice(0, count)
    .map(({ word }) => word)
}
