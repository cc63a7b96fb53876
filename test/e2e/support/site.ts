import { test as base, expect, type Locator, type Page, type Route } from '@playwright/test'
import { readStackInfo, type StackInfo } from './stack-info.ts'
import { TestWallet, type WalletOptions } from './test-wallet.ts'

/** The faults that a page must not have. */
export interface Watch {
  foreign: string[]
  errors: string[]
}

export interface Fixtures {
  stackInfo: StackInfo
  /** Foreign requests and console errors of every page. Each test checks at its end that there are none. */
  watch: Watch
  /** A wallet with a funded key of the local chain, announced to the pages of this test. */
  wallet: TestWallet
}

/** Chromium logs every answer of 400 and above. The 402 of a quote is expected. */
const EXPECTED =
  /Failed to load resource: the server responded with a status of (4\d\d|50\d)|net::ERR_(FAILED|ABORTED|CONNECTION)/

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from this pattern.
  stackInfo: async ({}, use) => use(readStackInfo()),
  baseURL: async ({ stackInfo }, use) => use(stackInfo.origin),
  watch: [
    async ({ context, stackInfo }, use) => {
      const watch: Watch = { foreign: [], errors: [] }
      const own = [stackInfo.origin, new URL(stackInfo.publicUrl).origin]
      context.on('request', (request) => {
        const url = new URL(request.url())
        if (url.protocol.startsWith('http') && !own.includes(url.origin)) watch.foreign.push(url.href)
      })
      context.on('console', (message) => {
        if (message.type() === 'error' && !EXPECTED.test(message.text())) watch.errors.push(message.text())
      })
      context.on('weberror', (error) => watch.errors.push(String(error.error())))
      await use(watch)
      // A page asks again while its test ends. A handler that still answers then is not a failure.
      for (const routes of [context, ...context.pages()]) await routes.unrouteAll({ behavior: 'ignoreErrors' })
      expect(watch).toEqual({ foreign: [], errors: [] })
    },
    { auto: true },
  ],
  wallet: async ({ context, stackInfo }, use, info) => {
    const buyer = stackInfo.buyers[info.parallelIndex % stackInfo.buyers.length] ?? { privateKey: '0x' }
    const wallet = new TestWallet(walletOptions(stackInfo, { key: buyer.privateKey }))
    await wallet.install(context)
    await use(wallet)
  },
})

export { expect }

export function walletOptions(
  stackInfo: StackInfo,
  options: Partial<WalletOptions> & Pick<WalletOptions, 'key'>,
): WalletOptions {
  return { chainId: stackInfo.chainId, rpcUrl: stackInfo.rpcUrl, ...options }
}

/** Opens the studio and waits for its models. */
export async function openStudio(page: Page): Promise<void> {
  await page.goto('/')
  await expect(page.getByRole('radio', { name: /FLUX schnell/ })).toBeAttached()
}

export const promptBox = (page: Page) => page.getByRole('textbox').first()
export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay .* and create$/ })
export const signButton = (page: Page) => page.getByRole('button', { name: /^Sign and pay/ })
export const paymentDialog = (page: Page) => page.getByRole('dialog')
export const result = (page: Page) => page.getByRole('article')

/** Writes a prompt, presses the button, picks the wallet and signs in, up to the review with the price. */
export async function goToReview(
  page: Page,
  prompt = 'a red bicycle by the sea',
  walletName = 'Example Wallet',
): Promise<void> {
  await promptBox(page).fill(prompt)
  await payButton(page).click()
  await page.getByRole('button', { name: walletName }).click()
  await paymentDialog(page).getByRole('button', { name: 'Sign in' }).click()
  await expect(signButton(page)).toBeEnabled()
}

/** Goes to a path of the site as a link on the page does, without loading the document again. */
export async function followLink(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    const link = document.createElement('a')
    link.href = to
    document.querySelector('main')?.append(link)
    link.click()
    link.remove()
  }, path)
}

/** Signs in from the button of the header, on the page that is open. */
export async function signIn(page: Page, walletName = 'Example Wallet'): Promise<void> {
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('button', { name: walletName }).click()
  await paymentDialog(page).getByRole('button', { name: 'Sign in' }).click()
  await expect(paymentDialog(page)).toBeHidden()
}

/** Makes the page's browser refuse cookies, storage and locks, as with site data blocked. */
export async function blockSiteData(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const deny = (): never => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) {
      Object.defineProperty(window, name, { get: deny })
    }
    Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false })
    Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => undefined })
    LockManager.prototype.request = () => Promise.reject(new DOMException('Access is denied.', 'SecurityError'))
  })
}

/** Places of parts of the open dialog, once it stands still. */
export async function placesOf(page: Page, parts: Locator[]) {
  await paymentDialog(page).evaluate(async (dialog) => {
    await Promise.all(dialog.getAnimations().map(({ finished }) => finished))
  })
  return Promise.all(parts.map((part) => part.boundingBox()))
}

/**
 * Pixels by which the page or its open dialog is wider than a phone zoomed to 200 %, which is half as wide as a narrow phone. The view
 * has its size again afterwards.
 */
export async function overflowZoomed(page: Page): Promise<number> {
  const before = page.viewportSize()
  await page.setViewportSize({ width: 195, height: 422 })
  const over = await page.evaluate(() => {
    const dialogs = [...document.querySelectorAll('dialog[open]')]
    const boxes = [document.documentElement, ...dialogs.flatMap((dialog) => [dialog, ...dialog.children])]
    return Math.max(
      ...boxes.map((box) => box.scrollWidth - box.clientWidth),
      ...dialogs.map((dialog) => dialog.getBoundingClientRect().right - innerWidth),
      ...dialogs.map((dialog) => -dialog.getBoundingClientRect().left),
    )
  })
  if (before !== null) await page.setViewportSize(before)
  return over
}

/** Sums how far the layout of every page that is opened from now on shifts by itself. `shiftOf` reads it. */
export async function watchShift(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shift = { sum: 0 }
    Reflect.set(window, 'shift', shift)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (Reflect.get(entry, 'hadRecentInput') !== true) shift.sum += Number(Reflect.get(entry, 'value'))
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

export const shiftOf = (page: Page): Promise<number> => page.evaluate(() => Reflect.get(window, 'shift').sum)

/** A paid call that a test records or breaks. */
export interface PaidCall {
  header: string
  body: string
}

/** Passes every paid call to `handle`, which must answer the route. Unpaid calls continue. */
export async function onPaidCall(
  page: Page,
  handle: (route: Route, call: PaidCall, index: number) => Promise<void>,
): Promise<PaidCall[]> {
  const calls: PaidCall[] = []
  await page.route('**/api/inference', async (route) => {
    const header = route.request().headers()['payment-signature']
    if (header === undefined) return route.continue()
    const call = { header, body: route.request().postData() ?? '' }
    calls.push(call)
    await handle(route, call, calls.length - 1)
  })
  return calls
}

/** Body of an event stream with these events. */
export function stream(...events: [name: string, data: unknown][]): { contentType: string; body: string } {
  const body = events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join('')
  return { contentType: 'text/event-stream', body }
}

/** A 200 body with the given output. */
export function outcome(output: unknown, status = 'succeeded') {
  return {
    id: '01234567-89ab-4cde-8f01-23456789abcd',
    status,
    output,
    metrics: {
      predictTimeMs: 1234,
      estimatedSeconds: 10,
      estimatedCostUsdc: '0.010000',
      actualCostUsdc: '0.001234',
      paymentAsset: '0x1005Dc00000000000000000000000000000005dC',
      paymentAmount: '10000',
      paymentTxHash: `0x${'ab'.repeat(32)}`,
      paymentNetwork: 'eip155:31337',
    },
  }
}
