import type { OutputType } from './provider.ts'

/** The output of a run, ready to be kept. `none` where there is nothing of the kind that the model promises. */
export type CollectedOutput = { kind: 'text'; text: string } | { kind: 'files'; urls: string[] } | { kind: 'none' }

/** No model in the catalogue makes more. Further files are not copied. */
export const MAX_FILES = 10
/** Outputs are lists or small objects; deeper nesting is nonsense. */
const MAX_DEPTH = 16

/**
 * Reads a run's output whatever its shape: one value, a list, a list of pieces, or an object with values at any depth.
 * Order is kept. Text leaves the database cannot keep (NUL, lone surrogates) are dropped or replaced.
 */
export function collectOutput(outputType: OutputType, output: unknown): CollectedOutput {
  const leaves = leavesOf(output)
  if (outputType === 'text') {
    const text = storable(leaves.join(''))
    return text === '' ? { kind: 'none' } : { kind: 'text', text }
  }
  const urls = leaves.filter((leaf) => /^(https?:\/\/|data:)/i.test(leaf)).slice(0, MAX_FILES)
  return urls.length === 0 ? { kind: 'none' } : { kind: 'files', urls }
}

/** The text that a growing output gained since `previous`; empty when it is not a continuation. */
export function textPieces(previous: unknown, output: unknown): string {
  const before = completeText(previous)
  const after = completeText(output)
  return after.startsWith(before) ? storable(after.slice(before.length)) : ''
}

/** A piece may end within a surrogate pair; that half waits for its other half. */
const completeText = (output: unknown): string =>
  leavesOf(output)
    .join('')
    .replace(/[\ud800-\udbff]$/, '')

const storable = (text: string): string => text.replaceAll('\u0000', '').toWellFormed()

function leavesOf(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return []
  return Object.values(value).flatMap((item) => leavesOf(item, depth + 1))
}
