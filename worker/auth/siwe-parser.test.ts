import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { siweText } from '../../test/helpers/siwe.ts'
import * as ours from './siwe-parser.ts'

const isFunction = (value: unknown): boolean => typeof value === 'function'
const parserSchema = z.object({
  ParsedMessage: z.custom<new (text: string) => object>(isFunction),
  SiweParseError: z.custom<new (errors: string[]) => Error>(isFunction),
  isUri: z.custom<(text: string) => boolean>(isFunction),
  isEIP55Address: z.custom<(text: string) => boolean>(isFunction),
  isValidISO8601Date: z.custom<(text: string) => boolean>(isFunction),
  classifyAddressCase: z.custom<(text: string) => string>(isFunction),
  toChecksumAddress: z.custom<(text: string) => string>(isFunction),
  parseIntegerNumber: z.custom<(text: string) => number>(isFunction),
})
const required: unknown = createRequire(createRequire(import.meta.url).resolve('siwe'))(
  '@signinwithethereum/siwe-parser',
)
const theirs = parserSchema.parse(required)

/** What a parser reads from a text, or that it refuses it. */
function read({ ParsedMessage }: Pick<typeof theirs, 'ParsedMessage'>, text: string): unknown {
  try {
    return { ...new ParsedMessage(text) }
  } catch {
    return 'refused'
  }
}

const ADDRESS = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
const base = siweText({
  address: ADDRESS,
  chainId: 8453,
  nonce: 'abcdefgh12345678',
  statement: 'Sign in.',
  issuedAt: new Date(0),
  expirationTime: new Date(1),
  notBefore: new Date(2),
})
const full = `${base}\nRequest ID: a%2Fb:@1\nResources:\n- https://a.example/x?y#z\n- ipfs://abc`

const URIS = [
  'https://coinslot.example/a?b#c',
  'http://user:pa%20ss@host:8080/',
  'http://@host',
  'http://host:/',
  'http://',
  'urn:a:b',
  'x:/a//b',
  'x:',
  'x:?#',
  'x:?',
  'x:#f#f',
  'x://a@b@c',
  'x:///path',
  'x:/',
  'x:a//b/',
  'http://1.2.3.4:99999999999/',
  'http://1.2.3.256/',
  'http://[::1]:80/',
  'http://[::]',
  'http://[1:2:3:4:5:6:7:8]',
  'http://[1:2:3:4:5:6:7]',
  'http://[1::2:3:4:5:6:7:8]',
  'http://[1::2:3:4:5:6:7]',
  'http://[1:2:3:4:5:6:1.2.3.4]',
  'http://[1:2:3:4:5:1.2.3.4]',
  'http://[::1.2.3.4]',
  'http://[::ffff:001.2.3.255]',
  'http://[::1.2.3.256]',
  'http://[1:2:3:4:5::1.2.3.4]',
  'http://[1:2:3:4::5:1.2.3.4]',
  'http://[1.2.3.4]',
  'http://[::12345]',
  'http://[:::1]',
  'http://[1::2::3]',
  'http://[v1f.a:b]',
  'http://[V1.]',
  'http://[]',
  'http://a]b',
  'http://a b',
  'http://%zz',
  'http://é',
  '1x:a',
  'no uri',
  '',
]

const CHANGES: [part: string, other: string][] = [
  ['', ''],
  ['coinslot', 'https://coinslot'],
  ['coinslot', '://coinslot'],
  ['coinslot', 'user@coinslot'],
  [' wants', ':80 wants'],
  [' wants', ':x wants'],
  [' wants', '  wants'],
  ['wants', 'Wants'],
  [ADDRESS, ADDRESS.toLowerCase()],
  [ADDRESS, `0x${ADDRESS.slice(2).toUpperCase()}`],
  [ADDRESS, `0X${ADDRESS.slice(2)}`],
  [ADDRESS, `0X${ADDRESS.slice(2).toLowerCase()}`],
  [ADDRESS, ADDRESS.replace('E7E', 'e7E')],
  [ADDRESS, ADDRESS.slice(0, -1)],
  ['Sign in.\n', ''],
  ['Sign in.', ''],
  ['Sign in.', '\n'],
  ['Sign in.', 'two\nlines'],
  ['Sign in.', 'a "quote"'],
  ['Sign in.', 'naïve'],
  ['Sign in.', "!#$&'()*+,-./09:;=?@AZ[]_az~"],
  ['Sign in.', 'a{b}|\\^`<>%'],
  ['Version: 1', 'Version: 2'],
  ['Version: 1', 'Version: 11'],
  ['8453', '0008453'],
  ['8453', '8453x'],
  ['8453', '9'.repeat(400)],
  ['abcdefgh12345678', 'abcdefg'],
  ['abcdefgh12345678', 'abcdefgh_'],
  ['1970-01-01T00:00:00.000Z', '2021-02-29T00:00:00Z'],
  ['1970-01-01T00:00:00.000Z', '2021-02-31T00:00:00Z'],
  ['1970-01-01T00:00:00.000Z', '2024-02-29t23:59:60.1z'],
  ['1970-01-01T00:00:00.000Z', '2024-02-29T23:59:59+23:59'],
  ['1970-01-01T00:00:00.000Z', '2024-02-29T24:00:00Z'],
  ['1970-01-01T00:00:00.000Z', '2024-02-29'],
  ['1970-01-01T00:00:00.001Z', 'soon'],
  ['Expiration Time: 1970-01-01T00:00:00.001Z\n', ''],
  ['Not Before: 1970-01-01T00:00:00.002Z\n', ''],
  ['Request ID: a%2Fb:@1\n', ''],
  ['a%2Fb:@1', ''],
  ['a%2Fb:@1', 'a/b'],
  ['a%2Fb:@1', 'a%2'],
  ['\n- https://a.example/x?y#z\n- ipfs://abc', ''],
  ['- ipfs://abc', '- nothing'],
  ['- ipfs://abc', '-ipfs://abc'],
  ['- ipfs://abc', '- ipfs://abc\n'],
  ['\n', '\r\n'],
]

const wildText = fc.oneof(
  fc.constantFrom(...URIS, ...CHANGES.flat()),
  fc.string({ maxLength: 3 }),
  fc.string({ unit: 'binary', maxLength: 2 }),
  fc.stringMatching(/^[0-9a-f:.[\]]{1,8}$/),
)
/** A good message with stretches of it replaced, dropped or repeated. */
const mutated = fc
  .array(fc.record({ at: fc.nat(), drop: fc.nat(12), text: wildText }), { minLength: 1, maxLength: 3 })
  .map((edits) =>
    edits.reduce((text, { at, drop, text: piece }) => {
      const start = at % (text.length + 1)
      return text.slice(0, start) + piece + text.slice(start + drop)
    }, full),
  )
const uriLike = fc
  .tuple(
    fc.constantFrom('http://', 'x:', 'x:/', 'http://a@', ''),
    fc.stringMatching(/^[a-f0-9:.[\]v]{0,24}$/),
    fc.constantFrom('', ':80', '/p', '?q', '#f', ']', ']:1/%41'),
  )
  .map((parts) => parts.join(''))

describe('the bundled parser and the one of the package', () => {
  it.each(CHANGES)('default: %j as %j is accepted or refused alike, with equal fields', (part, other) => {
    const text = full.replace(part, other)
    expect(read(ours, text)).toEqual(read(theirs, text))
  })

  it('default: whole, short and empty texts are read alike', () => {
    expect(read(ours, full)).toMatchObject({
      requestId: 'a%2Fb:@1',
      resources: ['https://a.example/x?y#z', 'ipfs://abc'],
    })
    for (const text of [full, base, `${base}\n`, ` ${base}`, '', base.slice(0, 80)]) {
      expect(read(ours, text)).toEqual(read(theirs, text))
    }
  })

  it.each(URIS)('default: the URI %j is read alike in a message, a resource and alone', (uri) => {
    const inMessage = full.replace(/URI: .*/, () => `URI: ${uri}`)
    expect(read(ours, inMessage)).toEqual(read(theirs, inMessage))
    const inResource = full.replace('ipfs://abc', () => uri)
    expect(read(ours, inResource)).toEqual(read(theirs, inResource))
    expect(ours.isUri(uri)).toBe(theirs.isUri(uri))
  })

  it('default: mutated messages and URIs are read alike', () => {
    fc.assert(
      fc.property(mutated, (text) => {
        expect(read(ours, text)).toEqual(read(theirs, text))
      }),
      { numRuns: 600 },
    )
    fc.assert(
      fc.property(uriLike, (uri) => {
        const text = full.replace(/URI: .*/, () => `URI: ${uri}`)
        expect(read(ours, text)).toEqual(read(theirs, text))
        const asDomain = full.replace(/^\S+/, () => uri)
        expect(read(ours, asDomain)).toEqual(read(theirs, asDomain))
      }),
      { numRuns: 600 },
    )
  })

  it('default: addresses, dates and numbers are read alike', () => {
    const outcome = (work: () => unknown): unknown => {
      try {
        return work()
      } catch {
        return 'throws'
      }
    }
    const words = ['', '0x', '0x10', ADDRESS, ADDRESS.toLowerCase(), '12px', '-3', 'x', '2024-02-30T00:00:00Z']
    const all = (parser: typeof theirs, word: string): unknown[] => [
      parser.isEIP55Address(word),
      parser.isValidISO8601Date(word),
      parser.classifyAddressCase(word),
      parser.toChecksumAddress(word),
      outcome(() => parser.parseIntegerNumber(word)),
    ]
    for (const word of words) expect(all(ours, word)).toEqual(all(theirs, word))
  })

  it('error: a refused message throws SiweParseError with its faults', () => {
    const bad = full.replace('ipfs://abc', '%').replace('1970-01-01T00:00:00.001Z', 'soon')
    expect(() => new ours.ParsedMessage(bad)).toThrow(
      new ours.SiweParseError(['invalid date time', 'invalid resource URI']),
    )
  })

  it('behavior: a text of 64 KiB is refused at once', () => {
    const long = full.replace('Sign in.', `${'a%20'.repeat(16_000)}"`)
    const before = process.threadCpuUsage()
    for (const text of [long, `${'a'.repeat(65_000)}`, full.replace('ipfs', 'x:'.repeat(32_000))]) read(ours, text)
    const { user, system } = process.threadCpuUsage(before)
    // Microseconds of this thread: those of a busy machine's other work do not count.
    expect(user + system).toBeLessThan(200_000)
  })
})
