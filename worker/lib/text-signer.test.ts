import { createHmac, hkdfSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeTextSigner } from './text-signer.ts'

const origin = 'https://coinslot.example.com'
const publicOrigins: readonly [string] = [origin]
const OLD = 'an old secret of at least thirty-two characters'
const NEW = 'a new secret of at least thirty-two characters!'
const signer = makeTextSigner({ sessionSecret: NEW, publicOrigins }, 'quote')

it.each(['', 'a', 'ä😀', 'x'.repeat(55), 'x'.repeat(64), 'y'.repeat(70_000)])(
  'default: the signature is HMAC-SHA-256 with a key of HKDF (case %#)',
  (text) => {
    const key = Buffer.from(hkdfSync('sha256', NEW, origin, 'coinslot quote', 32))
    const expected = createHmac('sha256', key).update(text).digest('base64url')
    expect(signer.sign(text)).toBe(expected)
    expect(signer.startingWith(text.slice(0, 3))(text.slice(3))).toBe(expected)
    expect(signer.verify(text, expected)).toBe(true)
  },
)

it('error: another text, label, secret or signature does not verify', () => {
  const signature = signer.sign('text')
  const other = makeTextSigner({ sessionSecret: NEW, publicOrigins }, 'csrf')
  expect([
    signer.verify('text.', signature),
    other.verify('text', signature),
    makeTextSigner({ sessionSecret: OLD, publicOrigins }, 'quote').verify('text', signature),
    signer.verify('text', signature.slice(1)),
    signer.verify('text', `${signature}A`),
    signer.verify('text', ''),
  ]).toEqual([false, false, false, false, false, false])
})

it('behavior: what the previous secret signed verifies, and the present one signs', () => {
  const before = makeTextSigner({ sessionSecret: OLD, publicOrigins }, 'quote')
  const after = makeTextSigner({ sessionSecret: NEW, sessionSecretPrevious: OLD, publicOrigins }, 'quote')
  expect(after.verify('text', before.sign('text'))).toBe(true)
  expect(after.sign('text')).toBe(signer.sign('text'))
})
