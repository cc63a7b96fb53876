import type { Random } from './random.ts'

/** Texts that have broken parsers, databases, pages and logs. */
const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e\u200b\u2060',
  '\ufeff',
  '👩‍🚀é',
  "'; drop table payments; --",
  '" or ""="',
  '{{7*7}}<%= 7*7 %>',
  '<img src=x onerror=alert(1)>',
  '</script><script>alert(1)</script>',
  'javascript:alert(1)',
  '../../../../etc/passwd',
  '..%2f..%2f',
  '%00',
  '%E0%A4%A',
  '\r\nSet-Cookie: a=b',
  'http://169.254.169.254/',
  'file:///etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '1e400',
  '-1',
  '0x10',
  '9007199254740993',
  '115792089237316195423570985008687907853269984665640564039457584007913129639936',
  'x'.repeat(300),
  'x'.repeat(11_000),
  'é'.repeat(5_000),
] as const

/** Pieces of raw JSON text, some of which no serializer would write. */
export const RAW_JSON = [
  'null',
  'true',
  '[]',
  '{}',
  '""',
  '0',
  '-0',
  '1e400',
  '9007199254740993',
  '0.1e-999',
  '"\\u0000"',
  '"\\ud800"',
  '{"__proto__":{"price":"0"}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]',
  '{"toJSON":1}',
] as const

export const hostileText = (random: Random): string => random.pick(TEXTS)

/** A value of any JSON type. */
export function hostileValue(random: Random): unknown {
  if (random.is(0.5)) return hostileText(random)
  return random.pick([
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 53,
    Number.MAX_VALUE,
    [],
    {},
    [[]],
    { a: { b: [1, null] } },
  ] as const)
}

/** A text that a header or a request line may have: Node's client refuses all others. */
export const headerSafe = (text: string): string => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')
export const pathSafe = (text: string): string =>
  text.replace(/[^\x21-\xff]/g, (letter) => encodeURIComponent(letter.toWellFormed()))
