import { type ESTree, parseSync, Visitor } from 'vite'
import type { TextFile } from './files.ts'

interface Span {
  start: number
  end: number
}

/** File types whose comments, headings and sentences `prose` finds. */
export const PROSE_FILES = /\.(tsx?|[mc]js|sol|md|css|html|sh|toml|ya?ml)$|(^|\/)(Dockerfile|run)$|\.example$/

/**
 * The text of a file with everything but sentences blanked out: comments, test titles, and Markdown without its code.
 * Offsets and lines stay those of the file.
 */
export function prose({ path, text }: TextFile): string {
  if (path.endsWith('.md')) return blank(text, matches(text, /^```[\s\S]*?^```|`[^`\n]*`|\]\([^)]*\)|https?:\/\/\S+/gm))
  const spans = commentsAndTitles(path, text)
  const kept = invert(spans, text.length)
  return blank(blank(text, kept), matches(text, /\/\*+|\*+\/|^\s*\*+ |\/\/+|^\s*#+|`[^`\n]*`/gm))
}

function commentsAndTitles(path: string, text: string): Span[] {
  if (/\.(tsx?|[mc]js)$/.test(path)) {
    const parsed = parseSync(path, text)
    // `program` is a getter that makes the syntax tree, which most files need not have.
    const titles = CALLS_TEST.test(text) ? testTitles(parsed.program) : []
    return [...parsed.comments, ...titles].sort((a, b) => a.start - b.start)
  }
  if (path.endsWith('.html')) return matches(text, /<!--[\s\S]*?-->/g)
  if (/\.(sol|css)$/.test(path)) return matches(text, /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g)
  return matches(text, /(?<=^|\s)#.*/gm)
}

/** Finds every call that `testTitles` does, and a few others. */
const CALLS_TEST = /\b(test|it|describe)\s*(\(|\.\s*\w)/

/** The titles of the tests and groups of a file, as they are written. */
export const titlesIn = ({ path, text }: TextFile): string[] =>
  testTitles(parseSync(path, text).program).map(({ start, end }) => text.slice(start + 1, end - 1))

/** Where the first argument of `test`, `it` and `describe` stands, and of their `.each(…)`, `.skipIf(…)` and so on. */
function testTitles(program: ESTree.Program): Span[] {
  const titles: Span[] = []
  new Visitor({
    CallExpression(call) {
      const title = call.arguments[0]
      if (title && /Literal$/.test(title.type) && isTestFunction(call.callee)) titles.push(title)
    },
  }).visit(program)
  return titles
}

function isTestFunction(callee: ESTree.Expression): boolean {
  if (callee.type === 'Identifier') return /^(test|it|describe)$/.test(callee.name)
  if (callee.type === 'MemberExpression') return isTestFunction(callee.object)
  return callee.type === 'CallExpression' && isTestFunction(callee.callee)
}

const matches = (text: string, pattern: RegExp): Span[] =>
  [...text.matchAll(pattern)].map(({ index, 0: found }) => ({ start: index, end: index + found.length }))

/** The parts of a text between `spans`, which are in order. */
function invert(spans: readonly Span[], length: number): Span[] {
  const starts = [0, ...spans.map(({ end }) => end)]
  const ends = [...spans.map(({ start }) => start), length]
  return starts.map((start, index) => ({ start, end: ends[index] ?? length }))
}

function blank(text: string, spans: readonly Span[]): string {
  let result = ''
  let at = 0
  for (const { start, end } of spans) {
    if (end <= at) continue
    result += text.slice(at, start) + text.slice(Math.max(at, start), end).replace(/[^\n]/g, ' ')
    at = end
  }
  return result + text.slice(at)
}
