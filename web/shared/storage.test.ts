import { describe, expect, it, vi } from 'vitest'

// A separate module, without what other tests kept until the page is closed.
vi.resetModules()
const { buysWithoutSiteData, keepSetting, keepsSiteData, keepUntilClosed, pendingPayers, siteStorage } = await import(
  './storage.ts'
)

const throwing = {
  get localStorage(): Storage {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  },
}

describe('site storage', () => {
  it.each([
    ['reading it throws', throwing],
    ['it is null, as in some app browsers', { localStorage: null }],
  ])('error: site data blocked, %s: it reads as empty and refuses to write', (_case, window) => {
    vi.stubGlobal('window', window)
    vi.stubGlobal('navigator', { cookieEnabled: true })
    expect(siteStorage().getItem('a')).toBeNull()
    expect(siteStorage().length).toBe(0)
    expect(() => siteStorage().setItem('a', '1')).toThrow('blocks site data')
    expect(() => keepSetting('a', '1')).not.toThrow()
    expect(keepsSiteData()).toBe(false)
  })

  it('behavior: a setting is kept and removed; without cookies the site data counts as blocked', () => {
    const kept = new Map<string, string>()
    const localStorage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    }
    vi.stubGlobal('window', { localStorage })
    keepSetting('a', '1')
    expect(siteStorage().getItem('a')).toBe('1')
    keepSetting('a', null)
    expect(siteStorage().getItem('a')).toBeNull()
    for (const cookieEnabled of [true, false]) {
      vi.stubGlobal('navigator', { cookieEnabled })
      expect(keepsSiteData()).toBe(cookieEnabled)
    }
  })

  it('behavior: a purchase without site data is kept in memory, and counts as not kept', () => {
    vi.stubGlobal('window', throwing)
    vi.stubGlobal('navigator', { cookieEnabled: true })
    expect(buysWithoutSiteData()).toBe(false)
    keepUntilClosed()
    expect([buysWithoutSiteData(), keepsSiteData()]).toEqual([true, false])
    siteStorage().setItem('coinslot.payment.0x1', '{}')
    expect([siteStorage().getItem('coinslot.payment.0x1'), pendingPayers()]).toEqual(['{}', ['0x1']])
    siteStorage().removeItem('coinslot.payment.0x1')
    expect([siteStorage().getItem('coinslot.payment.0x1'), pendingPayers()]).toEqual([null, []])
  })
})
