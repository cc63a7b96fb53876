import { describe, expect, it } from 'vitest'
import { cloudflareAddress, forwardedAddress, rateLimitKey } from './client-address.ts'

describe('client address', () => {
  it('default: on Cloudflare it is CF-Connecting-IP, never X-Forwarded-For', () => {
    const headers = {
      'CF-Connecting-IP': '203.0.113.7',
      'X-Forwarded-For': '198.51.100.1',
      'X-Real-IP': '198.51.100.2',
    }
    expect(cloudflareAddress(new Request('https://coinslot.example', { headers }), {})).toBe('203.0.113.7')
  })

  it.each([
    ['no proxy is trusted: the socket, whatever the header says', '198.51.100.9', '1.2.3.4', undefined, '198.51.100.9'],
    ['the trusted proxy wrote the last entry', '10.0.0.1', '6.6.6.6, 203.0.113.7', '10.0.0.1', '203.0.113.7'],
    ['a stranger who sends the header himself', '198.51.100.9', '1.2.3.4', '10.0.0.1', '198.51.100.9'],
    ['the proxy on a dual-stack socket', '::ffff:10.0.0.1', '203.0.113.7', '10.0.0.1', '203.0.113.7'],
    ['the proxy without the header', '10.0.0.1', null, '10.0.0.1', '10.0.0.1'],
    ['no socket address', undefined, '1.2.3.4', undefined, 'unknown'],
  ])('behavior: elsewhere, %s', (_what, socket, header, proxy, expected) => {
    expect(forwardedAddress(socket, header, proxy)).toBe(expected)
  })

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('behavior: %s is counted as %s', (address, key) => {
    expect(rateLimitKey(address)).toBe(key)
  })
})
