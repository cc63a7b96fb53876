export interface MediaType {
  mime: string
  extension: string
}

interface Format extends MediaType {
  matches(bytes: Uint8Array): boolean
}

/** How many bytes from the start are enough to tell. */
export const SNIFF_BYTES = 16

const ascii = (bytes: Uint8Array, at: number, text: string): boolean =>
  Array.from(text).every((character, index) => bytes[at + index] === character.charCodeAt(0))

const startsWith = (bytes: Uint8Array, ...start: number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte)

/** An MPEG frame header of layer III: 11 sync bits, then version, layer, bit rate and sampling rate that exist. */
function isMp3Frame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  const synced = first === 0xff && (second & 0xe0) === 0xe0
  const versionAndLayer = (second & 0x18) !== 0x08 && (second & 0x06) === 0x02
  return synced && versionAndLayer && third >> 4 !== 0x0f && third >> 4 !== 0 && (third & 0x0c) !== 0x0c
}

const MP4_AUDIO_BRANDS = ['M4A ', 'M4B ', 'isom', 'iso2', 'iso5', 'iso6', 'mp41', 'mp42', 'dash']

/** All that is kept. Never SVG or HTML: served from a public host they would run as script. */
const FORMATS: readonly Format[] = [
  {
    mime: 'image/png',
    extension: 'png',
    matches: (b) => startsWith(b, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  },
  { mime: 'image/jpeg', extension: 'jpg', matches: (b) => startsWith(b, 0xff, 0xd8, 0xff) },
  { mime: 'image/webp', extension: 'webp', matches: (b) => ascii(b, 0, 'RIFF') && ascii(b, 8, 'WEBP') },
  { mime: 'image/gif', extension: 'gif', matches: (b) => ascii(b, 0, 'GIF87a') || ascii(b, 0, 'GIF89a') },
  { mime: 'audio/wav', extension: 'wav', matches: (b) => ascii(b, 0, 'RIFF') && ascii(b, 8, 'WAVE') },
  { mime: 'audio/ogg', extension: 'ogg', matches: (b) => ascii(b, 0, 'OggS') },
  { mime: 'audio/flac', extension: 'flac', matches: (b) => ascii(b, 0, 'fLaC') },
  {
    mime: 'audio/mp4',
    extension: 'm4a',
    matches: (b) => ascii(b, 4, 'ftyp') && MP4_AUDIO_BRANDS.some((brand) => ascii(b, 8, brand)),
  },
  { mime: 'audio/mpeg', extension: 'mp3', matches: (b) => ascii(b, 0, 'ID3') || isMp3Frame(b) },
]

export type MediaKind = 'image' | 'audio'

export const isOfKind = ({ mime }: MediaType, kind: MediaKind): boolean => mime.startsWith(`${kind}/`)

/** Every extension that a stored object of this kind may have. */
export const extensionsOf = (kind: MediaKind): string[] =>
  FORMATS.filter((format) => isOfKind(format, kind)).map(({ extension }) => extension)

/** A file's type by its first bytes, whatever its name or headers claim; null when it is of a type that is not kept. */
export function sniff(bytes: Uint8Array): MediaType | null {
  const format = FORMATS.find(({ matches }) => matches(bytes))
  return format === undefined ? null : { mime: format.mime, extension: format.extension }
}
