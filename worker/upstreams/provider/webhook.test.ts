import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { verifyWebhook } from './webhook.ts'

const KEY = Buffer.from('a webhook key of some length+/=')
const SECRET = `whsec_${KEY.toString('base64')}`
const NOW = 1_795_812_856
const BODY = '{"id":"abc","status":"succeeded","output":"é"}'
const sign = (id: string, time: number, body: string, key = KEY): string =>
  `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`

const verify = (
  change: { time?: number | string; signature?: string; body?: string; id?: string; secret?: string } = {},
) => {
  const { time = NOW, id = 'msg_1', body = BODY, secret = SECRET } = change
  const signature = change.signature ?? sign(id, Number(time), BODY)
  const headers = new Headers({ 'webhook-id': id, 'webhook-timestamp': String(time), 'webhook-signature': signature })
  return verifyWebhook(secret, headers, body, new Date(NOW * 1000))
}

describe('verifyWebhook', () => {
  it('default: a valid signature over id, time and body', async () => {
    expect(await verify()).toBe(true)
  })

  it('behavior: any of several signatures will do', async () => {
    const other = sign('msg_1', NOW, BODY, Buffer.from('another key'))
    expect(await verify({ signature: `v1a,x ${other} ${sign('msg_1', NOW, BODY)}` })).toBe(true)
    expect(await verify({ signature: other })).toBe(false)
  })

  it('behavior: five minutes either way, no more', async () => {
    expect(await verify({ time: NOW - 300 })).toBe(true)
    expect(await verify({ time: NOW + 300 })).toBe(true)
    expect(await verify({ time: NOW - 301 })).toBe(false)
    expect(await verify({ time: NOW + 301 })).toBe(false)
    expect(await verify({ time: NOW - 30 * 86_400 })).toBe(false)
  })

  it.each([
    ['a changed body', { body: BODY.replace('succeeded', 'failed') }],
    ['another id', { id: 'msg_2', signature: sign('msg_1', NOW, BODY) }],
    ['a signature without its version', { signature: sign('msg_1', NOW, BODY).slice(3) }],
    ['no base64', { signature: 'v1,***' }],
    ['an empty signature', { signature: 'v1,' }],
    ['a time that is no number', { time: 'NaN' }],
    ['a secret that is no base64', { secret: 'whsec_***' }],
    ['an empty secret', { secret: '' }],
  ])('error: refused with %s', async (_case, change) => {
    expect(await verify(change)).toBe(false)
  })

  it('error: refused without headers', async () => {
    expect(await verifyWebhook(SECRET, new Headers(), BODY, new Date(NOW * 1000))).toBe(false)
  })
})
