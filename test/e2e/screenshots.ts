import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from '@playwright/test'
import { startStack } from '../../dev/stack/stack.ts'
import { LANGUAGES, type Language, pathIn, type Tag } from '../../web/shared/languages.ts'
import type { messages as englishMessages } from '../../web/site/src/messages/en.ts'

// `npm run generate -- screenshots` writes pictures of the real local stack into screenshots/, which git ignores: English, phone and desktop, light
// and dark. What README shows is copied into docs/screenshots.
// `npm run generate -- screenshots --all [--language ja]...` writes every page and state in three widths, two themes and three languages, or
// in those named.

const { values } = parseArgs({
  options: { all: { type: 'boolean', default: false }, language: { type: 'string', multiple: true } },
})
const ROOT = join(import.meta.dirname, '../..')
const OUT = join(ROOT, 'screenshots')
const SHOWN_IN_DOCS = ['result-desktop-light.png']
const SIZES = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
  ...(values.all ? { tablet: { width: 768, height: 1024 } } : {}),
}
const TAGS: readonly string[] = values.language ?? (values.all ? ['en', 'es', 'ar'] : ['en'])

type Words = Pick<typeof englishMessages, 'tasks' | 'shared'>
type Task = keyof Words['tasks']

const WORKS: [task: Task, prompt: string][] = [
  ['text-to-image', 'a lighthouse on a cliff at sunset, long shadows'],
  ['text-to-text', 'Explain in two sentences why the sea looks blue.'],
  ['text-to-image', 'a quiet mountain lake under a sky full of stars'],
  ['text-to-sound', 'Good morning. The ferry to the island leaves in ten minutes.'],
  ['text-to-image', 'a small wooden boat on a turquoise lagoon, seen from above'],
  ['text-to-image', 'a red bicycle leaning on a stone wall by the sea, morning light'],
]
const [, LAST_PROMPT = ''] = WORKS.at(-1) ?? []

const stack = await startStack({ limits: false, firstPort: 20_787 })
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  await mkdir(OUT, { recursive: true })
  const state = await fillHistory(browser)
  for (const language of LANGUAGES.filter(({ tag }) => TAGS.includes(tag))) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const look = { viewport, colorScheme, hasTouch: size !== 'desktop' }
        const name = `${size}-${colorScheme}${language.tag === 'en' ? '' : `-${language.tag}`}`
        const context = await open(browser, { ...look, storageState: state })
        await shootAll(context, language, name)
        if (values.all) {
          await shootEnds(context, language, name)
          await shootPages(context, language, name)
          await shootSignedOut(await open(browser, look), language, name)
        }
        await context.close()
      }
    }
  }
  if (TAGS.includes('en'))
    for (const name of SHOWN_IN_DOCS) await copyFile(join(OUT, name), join(ROOT, 'docs/screenshots', name))
} finally {
  await browser.close()
  await stack.stop()
}

type Options = NonNullable<Parameters<Browser['newContext']>[0]>

function open(from: Browser, options: Options): Promise<BrowserContext> {
  return from.newContext({ baseURL: stack.info.origin, reducedMotion: 'reduce', ...options })
}

async function wordsOf(tag: Tag): Promise<Words> {
  const { messages }: { messages: Words } = await import(`../../web/site/src/messages/${tag}.ts`)
  return messages
}

/** How the model provider handles the next call or run: see dev/provider/script.ts. */
async function script(body: object): Promise<void> {
  const url = new URL('/__script', stack.info.modelProviderUrl)
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ clear: true, ...body }) })
  if (!response.ok) throw new Error(`the model provider answers ${response.status} to a script`)
}

/** Buys with the demo wallet, so that every page has content. Returns the signed-in state. */
async function fillHistory(from: Browser): Promise<NonNullable<Options['storageState']>> {
  const context = await open(from, { viewport: SIZES.desktop })
  const page = await context.newPage()
  const words = await wordsOf('en')
  await page.goto('/')
  for (const [task, prompt] of WORKS) {
    await page.getByText(words.tasks[task], { exact: true }).click()
    await buy(page, words, prompt)
  }
  const state = await context.storageState()
  await context.close()
  return state
}

function signButton(page: Page): Locator {
  return page.getByRole('dialog').locator('.button-pay')
}

async function toReview(page: Page, words: Words, prompt: string): Promise<void> {
  await page.getByRole('textbox').first().fill(prompt)
  await page.locator('.composer .button-pay').click()
  const demo = page.getByRole('button', { name: words.shared.demoWallet })
  const sign = signButton(page)
  await demo.or(sign).first().waitFor()
  if (await demo.isVisible()) await demo.click()
  await sign.and(page.locator(':enabled')).waitFor()
  await page.locator('.quote-balance').waitFor()
}

async function buy(page: Page, words: Words, prompt: string): Promise<void> {
  await toReview(page, words, prompt)
  await signButton(page).click()
  await page.getByRole('article').filter({ hasText: prompt }).waitFor({ timeout: 60_000 })
  await page.waitForLoadState('networkidle')
}

/** Takes a picture when typefaces and files are here. */
function camera(page: Page, name: string) {
  return async (what: string, fullPage = false): Promise<void> => {
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    await page.mouse.move(0, 0)
    await page.waitForLoadState('networkidle')
    if (name.startsWith('desktop')) await page.evaluate(() => scrollTo(0, 0))
    await page.screenshot({ path: join(OUT, `${what}-${name}.png`), fullPage })
  }
}

async function shootAll(context: BrowserContext, language: Language, name: string): Promise<void> {
  const page = await context.newPage()
  const words = await wordsOf(language.tag)
  const shoot = camera(page, name)
  await page.goto(pathIn(language, '/'))
  await page.locator('.model').first().waitFor()
  await shoot('studio')
  await toReview(page, words, LAST_PROMPT)
  await shoot('payment-dialog')
  await script({ runs: [{ processingMs: 3_000 }] })
  await signButton(page).click()
  await page.locator('.stage-now').waitFor()
  await page.screenshot({ path: join(OUT, `progress-${name}.png`) })
  await page.getByRole('article').waitFor({ timeout: 60_000 })
  await page.locator('.picture-loaded').waitFor()
  await shoot('result')
  for (const [path, sign] of [
    ['history', '.card img'],
    ['account', '.stake'],
    ['models', '.entry'],
    ['stats', '.tally'],
    ['docs', '.code'],
  ] as const) {
    await page.goto(pathIn(language, `/${path}`))
    await page.locator(sign).first().waitFor()
    await shoot(path)
  }
  await page.close()
}

/** Answers every paid call with a problem, and says that the payment was not used. */
async function answerPaidCalls(page: Page, status: number, problem: object): Promise<void> {
  await page.unroute('**/api/inference')
  await page.route('**/api/inference', (route) =>
    route.request().headers()['payment-signature'] === undefined
      ? route.continue()
      : route.fulfill({
          status,
          contentType: 'application/problem+json',
          body: JSON.stringify({ title: 'The payment was not used', paymentState: 'unused', ...problem }),
        }),
  )
}

/** The ends of a purchase without a result, and its record. */
async function shootEnds(context: BrowserContext, language: Language, name: string): Promise<void> {
  const page = await context.newPage()
  const words = await wordsOf(language.tag)
  const shoot = camera(page, name)
  const pay = async (): Promise<void> => {
    await page.goto(pathIn(language, '/'))
    await toReview(page, words, LAST_PROMPT)
    await signButton(page).click()
  }
  await answerPaidCalls(page, 429, { code: 'rate_limited', nextAction: 'wait_and_retry', retryAfterSeconds: 60 })
  await pay()
  await page.locator('.progress-wait').waitFor()
  await shoot('waiting')
  await page.locator('.progress .button').click()
  await answerPaidCalls(page, 402, { code: 'payment_rejected', nextAction: 'sign_new_payment' })
  await pay()
  await page.locator('.problem').waitFor()
  await shoot('not-charged')
  await page.unroute('**/api/inference')

  await script({ runs: [{ status: 'failed', error: 'CUDA out of memory', times: 10 }] })
  await pay()
  await page.locator('.problem').waitFor({ timeout: 60_000 })
  await shoot('failed')
  await script({})
  await page.goto(pathIn(language, '/history'))
  await page.locator('.state-failed').first().waitFor()
  await shoot('history-whole', true)
  await page
    .locator('.card')
    .filter({ has: page.locator('.state-failed') })
    .first()
    .click()
  await page.locator('.problem').waitFor()
  await shoot('failed-record', true)
  await page.close()
}

/** A result with its share, and whole pages. */
async function shootPages(context: BrowserContext, language: Language, name: string): Promise<void> {
  const page = await context.newPage()
  const shoot = camera(page, name)
  await page.goto(pathIn(language, '/history'))
  await page
    .locator('.card')
    .filter({ has: page.locator('img') })
    .first()
    .click()
  await page.locator('.picture-loaded').waitFor()
  await page.locator('.share button').click()
  await page.locator('.share .hash a').waitFor()
  await shoot('record', true)
  await page.goto((await page.locator('.share .hash a').getAttribute('href')) ?? '')
  await page.locator('.picture-loaded').waitFor()
  await shoot('shared', true)
  for (const path of ['account', 'stats', 'receipt', 'refunds', 'nowhere']) {
    await page.goto(pathIn(language, `/${path}`))
    await page.locator(path === 'account' ? '.stake' : 'h1').waitFor()
    await shoot(`${path}-whole`, true)
  }
  await page.close()
}

/** The pages of a newcomer: the dialog with the wallets, and pages that need a sign-in. Closes the context. */
async function shootSignedOut(context: BrowserContext, language: Language, name: string): Promise<void> {
  const page = await context.newPage()
  const shoot = camera(page, name)
  await page.goto(pathIn(language, '/'))
  await page.locator('.model').first().waitFor()
  await shoot('studio-whole', true)
  await page.getByRole('textbox').first().fill(LAST_PROMPT)
  await page.locator('.composer .button-pay').click()
  await page.locator('.ways-on').waitFor()
  await shoot('wallets')
  for (const path of ['history', 'account']) {
    await page.goto(pathIn(language, `/${path}`))
    await page.locator('.empty, .page .button').first().waitFor()
    await shoot(`${path}-signed-out`)
  }
  await context.close()
}
