import { isOfKind, type MediaKind, type MediaType, sniff } from './media-type.ts'

/**
 * The decision after a look at an output file: it is kept, it is looked at again as after a 404, or it is of another kind for good.
 */
export type Look = { kind: 'keep'; type: MediaType } | { kind: 'again' } | { kind: 'final' }

interface Row {
  /** The kind of the bytes. */
  what: string
  matches(start: Uint8Array, kind: MediaKind): boolean
  follows: Look['kind']
}

const ascii = (start: Uint8Array, from: number, to: number): string => String.fromCharCode(...start.subarray(from, to))

/** The starts of whole files that are neither pictures nor sounds. */
const OTHER_FILES = ['%PDF-', 'PK\x03\x04', '\x1f\x8b\x08', '\x1aE\xdf\xa3', 'RIFF', 'FORM', 'II*\0', 'MM\0*', '8BPS']

/** Fewer bytes than these are a part of any such file. */
const OTHER_FILE_BYTES = 12

const isOtherFile = (start: Uint8Array): boolean =>
  start.length >= OTHER_FILE_BYTES &&
  (OTHER_FILES.some((sign) => ascii(start, 0, sign.length) === sign) || ascii(start, 4, 8) === 'ftyp')

/** A picture as text: never kept, since it may hold script, and no waiting page either. */
const isSvg = (start: Uint8Array): boolean => /^<svg[\s>]/i.test(ascii(start, 0, 5))

/**
 * The first look at a file that was answered with 200, row by row; the first row that matches decides. The type that the answer
 * states decides nothing: a proxy may state any. A body that is shorter than its stated length never comes here: it broke off.
 * Anything that no row names (a waiting page, an empty body, `pending`, a JSON word, a few bytes of a file) may be a proxy's own answer.
 */
export const FIRST_LOOK: readonly Row[] = [
  { what: 'no bytes', matches: (start) => start.length === 0, follows: 'again' },
  { what: 'a file of the kind', matches: (start, kind) => typeOf(start, kind) !== null, follows: 'keep' },
  { what: 'a picture or sound of the other kind', matches: (start) => sniff(start) !== null, follows: 'final' },
  { what: 'an SVG', matches: isSvg, follows: 'final' },
  { what: 'a file that is neither', matches: isOtherFile, follows: 'final' },
  { what: 'anything else', matches: () => true, follows: 'again' },
]

function typeOf(start: Uint8Array, kind: MediaKind): MediaType | null {
  const type = sniff(start)
  return type !== null && isOfKind(type, kind) ? type : null
}

/** The decision by the first bytes of a file. `kind` is what the task makes. */
export function firstLook(start: Uint8Array, kind: MediaKind): Look {
  const row = FIRST_LOOK.find(({ matches }) => matches(start, kind))
  const type = typeOf(start, kind)
  if (row?.follows === 'keep' && type !== null) return { kind: 'keep', type }
  return { kind: row?.follows === 'final' ? 'final' : 'again' }
}
