import { expect, it } from 'vitest'
import { WALLET_APPS } from './apps.ts'

const PAGE = 'https://coinslot.example/'
const DRAFT = 'model=a%2Fb&prompt=a+heron'

it.each([
  ['MetaMask', 'https://link.metamask.io/dapp/coinslot.example/#model=a%2Fb&prompt=a+heron'],
  ['Base', 'https://go.cb-w.com/dapp?cb_url=https%3A%2F%2Fcoinslot.example%2F'],
  ['Trust', 'https://link.trustwallet.com/open_url?coin_id=60&url=https%3A%2F%2Fcoinslot.example%2F'],
])('default: %s opens the page in its own browser', (name, link) => {
  expect(WALLET_APPS.find((app) => app.name === name)?.link(PAGE, DRAFT)).toBe(link)
})

it('default: OKX gets its own address with the page inside', () => {
  const link = new URL(WALLET_APPS.find(({ name }) => name === 'OKX')?.link(PAGE, DRAFT) ?? '')
  const deep = new URL(link.searchParams.get('deeplink') ?? '')
  expect(deep.protocol).toBe('okx:')
  expect(deep.searchParams.get('dappUrl')).toBe(PAGE)
})

it.each(WALLET_APPS)('error: G6 $name sends its server nothing of the draft', ({ link, takesDraft }) => {
  const { href, hash } = new URL(link(PAGE, DRAFT))
  expect(href.slice(0, href.length - hash.length)).not.toMatch(/heron|model/)
  expect(hash).toBe(takesDraft ? `#${DRAFT}` : '')
})
