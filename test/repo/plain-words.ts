import { MANY, parseFlags, runProgram } from '../../client/cli/flags.ts'
import { handWritten, lineAt } from './sources/files.ts'
import { PROSE_FILES, prose } from './sources/prose.ts'

export interface Habit {
  name: string
  /** A space in it matches any white space, so that a line break does not hide a phrase. */
  pattern: RegExp
  /** The words to write instead. */
  instead: string
}

/** Words and phrases that make a sentence harder to read, each with what to write. CONTRIBUTING has the rules. */
export const HABITS: readonly Habit[] = [
  {
    name: 'told',
    pattern: /\b(told|tells)\b/gi,
    instead: 'says, returns, reports, passes; tells apart → distinguishes',
  },
  { name: 'nobody', pattern: /\bnobody\b/gi, instead: 'no one, nothing, or name what is missing' },
  {
    name: 'is none',
    pattern: /(?<!\bthere )\b(is|are|was|were) none\b(?! of)/gi,
    instead: 'is invalid, does not exist, is missing',
  },
  { name: 'of its own', pattern: /\bof (its|their|his) own\b/gi, instead: 'its own X, a separate X' },
  { name: 'somebody', pattern: /\bsomebody\b/gi, instead: 'someone, a user, a caller, another program' },
  { name: 'whoever', pattern: /\bwhoever\b/gi, instead: 'name the caller: the buyer, the operator, callers that' },
  { name: 'gives', pattern: /\b(gives|gave)\b(?! up)/gi, instead: 'returns, yields, produces' },
  {
    name: 'holds against',
    pattern: /\bh(olds?|eld) [^.]{1,40}? against\b/gi,
    instead: 'checks X by Y, compares X with Y',
  },
  {
    name: 'is no X',
    pattern:
      /(?<!\bthere )\b(is|are|was|were) no (?!longer\b|more\b|less\b|one\b|later\b|earlier\b|greater\b|larger\b)/gi,
    instead: 'is not a X, there is no X, X does not exist',
  },
  {
    name: 'stands in',
    pattern: /\bst(and|ands|ood) in\b|\bstand-ins?\b/gi,
    instead: 'replaces, is in, fake, local server',
  },
  { name: 'goes on', pattern: /\b(go|goes|went|going) on\b/gi, instead: 'continues' },
  { name: 'mend', pattern: /\bmend(s|ed|ing)?\b/gi, instead: 'fix, repair' },
]

export interface Offence {
  path: string
  line: number
  habit: Habit
  excerpt: string
}

/** The page with the rules quotes the sentences to avoid. */
const RULES_PAGE = 'CONTRIBUTING.md'

/** Every place under `folders` (all when empty) that has one of the habits. */
export function findHabits(folders: readonly string[] = []): Offence[] {
  const files = handWritten(PROSE_FILES, folders).filter(({ path }) => path !== RULES_PAGE)
  return files.flatMap((file) => {
    const sentences = prose(file)
    return HABITS.flatMap((habit) =>
      [...sentences.matchAll(spaced(habit.pattern))].map(({ index, 0: found }) => ({
        path: file.path,
        line: lineAt(file.text, index),
        habit,
        excerpt: sentences
          .slice(Math.max(0, index - 45), index + found.length + 35)
          .replace(/\s+/g, ' ')
          .trim(),
      })),
    )
  })
}

const spaced = (pattern: RegExp): RegExp => new RegExp(pattern.source.replaceAll(' ', '\\s+'), pattern.flags)

const HELP = `node test/repo/plain-words.ts [FOLDER …]

Lists the wordy habits under these folders (default: everywhere), each with what to write instead.
`

async function main(args: readonly string[]): Promise<boolean> {
  const { positionals } = parseFlags(args, {}, MANY)
  const offences = findHabits(positionals)
  const inOrder = offences.toSorted((a, b) => a.path.localeCompare(b.path) || a.line - b.line)
  for (const { path, line, habit, excerpt } of inOrder) {
    process.stdout.write(`${path}:${line}  ${habit.name} → ${habit.instead}\n    … ${excerpt} …\n`)
  }
  const counts = HABITS.map(({ name }) => `${name} ${offences.filter(({ habit }) => habit.name === name).length}`)
  process.stdout.write(`\n${offences.length} in all: ${counts.filter((count) => !count.endsWith(' 0')).join(', ')}\n`)
  return offences.length === 0
}

if (import.meta.main) await runProgram(HELP, main)
