import { type Browser, chromium, type Page } from '@playwright/test'

/** "Slow 3G" as WebPageTest has it: 400 kbit/s both ways, 400 ms for each round trip. */
const BYTES_PER_SECOND = 400_000 / 8
const ROUND_TRIP_MS = 400
/** A phone is this many times slower than the machine. */
const CPU_RATE = 4
const PHONE = { width: 390, height: 844 }
const DEADLINE_MS = 60_000

/** Milliseconds from the start of a navigation. */
export interface Opening {
  /** Headline, models and prices are painted. */
  shownMs: number
  /** A prompt can be written, the models are there, and Pay can be pressed. */
  usableMs: number
}

/** Opens the studio on a slow phone, first without a cache, then again by a reload. */
export async function openSlowly(url: string, executablePath: string): Promise<{ first: Opening; reload: Opening }> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await slowPage(browser)
    await page.goto(url, { waitUntil: 'commit', timeout: DEADLINE_MS })
    const first = await readOpening(page)
    await page.waitForLoadState('networkidle')
    await page.reload({ waitUntil: 'commit', timeout: DEADLINE_MS })
    return { first, reload: await readOpening(page) }
  } finally {
    await browser.close()
  }
}

async function slowPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: PHONE, isMobile: true, hasTouch: true })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: ROUND_TRIP_MS,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_RATE })
  await page.addInitScript(watchOpening)
  return page
}

/** Runs in the page before its own code. It looks once in each frame. */
function watchOpening(): void {
  const seen: Record<string, number> = {}
  Reflect.set(window, 'opening', seen)
  const look = (): void => {
    const has = (selector: string): boolean => document.querySelector(selector) !== null
    if (has('h1') && has('.start-prices .figures, .model-price')) seen['shownMs'] ??= performance.now()
    if (has('.composer textarea') && has('.model-price') && has('.composer .button-pay:enabled'))
      seen['usableMs'] ??= performance.now()
    if (seen['usableMs'] === undefined) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

async function readOpening(page: Page): Promise<Opening> {
  const opening = await page.waitForFunction(
    () => (Reflect.get(window, 'opening')?.usableMs === undefined ? null : Reflect.get(window, 'opening')),
    null,
    { timeout: DEADLINE_MS },
  )
  return opening.jsonValue()
}
