import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { createClient, http } from 'viem'
import { getChainId } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { startAnvil } from '../../dev/anvil/anvil.ts'
import { freePort } from '../../dev/process/ports.ts'
import { makeBuyer } from '../helpers/buyer.ts'
import { copyCheckout, type StartedProgram, startStackProgram } from '../helpers/checkout.ts'

const CHROMIUM = [process.env['CHROMIUM_PATH'] ?? '', '/usr/bin/chromium', chromium.executablePath()].find(existsSync)
/** `npm run dev` reloads within 2 s on a quiet machine; the tests also run on a busy one. */
const BUSY = { timeout: 30_000, interval: 50 }
const MODELS = 'worker/domain/models/image-models.ts'
const FOOTER = 'web/site/src/components/shell.tsx'

const checkout = copyCheckout()
afterAll(() => checkout.remove())

const start = async (...flags: string[]): Promise<StartedProgram> =>
  startStackProgram(checkout.folder, ['--watch', '--port', String(await freePort()), ...flags])

describe('npm run dev', () => {
  let stack: StartedProgram
  beforeAll(async () => {
    stack = await start()
  })
  afterAll(() => stack?.stop())

  const get = async (path: string): Promise<string> => (await fetch(stack.info.origin + path)).text()

  test('behavior: the sites beside the main one open no port', () => {
    expect(stack.output()).not.toContain('WebSocket server error')
  })

  test('behavior: a saved worker file is served within seconds; calls wait for a broken one', async () => {
    expect(await get('/api/models')).toContain('Fast pictures in four steps')
    expect(await get('/openapi.json')).toContain('"openapi":"3.1.0"')
    checkout.edit(MODELS, 'Fast pictures in four steps', 'Quick pictures in four steps')
    const saved = performance.now()
    await expect.poll(() => get('/api/models'), BUSY).toContain('Quick pictures in four steps')
    console.info(`worker reloaded after ${Math.round(performance.now() - saved)} ms`)
    expect(stack.output()).toContain('worker reloaded')

    checkout.edit(MODELS, 'import ', 'impor ')
    await expect.poll(stack.output, BUSY).toContain('Build failed')
    const waiting = get('/api/models')
    checkout.edit(MODELS, 'Quick pictures', 'Swift pictures')
    checkout.edit(MODELS, 'impor ', 'import ')
    expect(await waiting).toContain('Swift pictures')
    await expect.poll(() => get('/api/models'), BUSY).toContain('Swift pictures')
  })

  test('behavior: a saved component is replaced in the open page, which is not loaded again', async () => {
    const client = await get('/@vite/client')
    const token = /wsToken = "([^"]+)"/.exec(client)?.[1] ?? ''
    expect(await get('/src/main.tsx')).toContain('site.tsx')
    expect(await get('/src/components/shell.tsx')).toContain('footer')
    const socket = new WebSocket(`${stack.info.origin.replace('http', 'ws')}/?token=${token}`, 'vite-hmr')
    const messages: unknown[] = []
    socket.addEventListener('message', ({ data }) => messages.push(JSON.parse(String(data))))
    await expect.poll(() => messages, BUSY).toContainEqual({ type: 'connected' })
    checkout.edit(FOOTER, 'class="footer"', 'class="footer edited"')
    const update = expect.objectContaining({ type: 'js-update', path: '/src/components/shell.tsx' })
    await expect.poll(() => messages, BUSY).toContainEqual({ type: 'update', updates: [update] })
    expect(messages).not.toContainEqual(expect.objectContaining({ type: 'full-reload' }))
    socket.close()
  })

  test.skipIf(CHROMIUM === undefined)('behavior: a typed prompt survives an edit of another component', async () => {
    const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] })
    try {
      const page = await browser.newPage()
      const refused: string[] = []
      page.on('console', (message) => {
        if (/Content Security Policy/.test(message.text())) refused.push(message.text())
      })
      await page.goto(stack.info.origin)
      const prompt = page.getByRole('textbox').first()
      await prompt.fill('a red bicycle')
      checkout.edit('web/shared/theme-toggle.tsx', 'class="icon-button"', 'data-edited="" class="icon-button"')
      const saved = performance.now()
      await page.locator('[data-edited]').first().waitFor({ timeout: BUSY.timeout })
      console.info(`component replaced after ${Math.round(performance.now() - saved)} ms`)
      expect(await prompt.inputValue()).toBe('a red bicycle')
      expect(refused).toEqual([])
    } finally {
      await browser.close()
    }
  })

  test('behavior: the scheduled job runs at its interval and cannot be started from outside', async () => {
    const response = await fetch(`${stack.info.origin}/cdn-cgi/handler/scheduled`, { method: 'POST' })
    expect(response.status).toBe(405)
    expect(await get('/cdn-cgi/handler/scheduled')).toContain('<div id="app">')
    const job = "runInBackground('scheduled', env, context, async (deps) => {"
    checkout.edit('worker/index.ts', job, `${job}\n      console.log('the job runs')`)
    await expect.poll(stack.output, BUSY).toContain('the job runs')
  })
})

test('behavior: npm run dev -- --fork URL buys on a fork of another chain', async () => {
  const other = await startAnvil({ chainId: 84532 })
  const stack = await start('--fork', other.url, '--no-limits')
  try {
    const fork = createClient({ transport: http(stack.info.rpcUrl) })
    expect(await getChainId(fork)).toBe(31337)
    const { origin, chainId, buyers } = stack.info
    const privateKey = z.templateLiteral(['0x', z.string()]).parse(buyers[0]?.privateKey)
    const buyer = makeBuyer({ fetch, origin, chainId, privateKey })
    expect((await buyer.signIn()).status).toBe(200)
    const request = { task: 'text-to-text', model: 'meta/meta-llama-3-8b-instruct', input: { prompt: 'one word' } }
    expect((await buyer.pay(request, await buyer.sign(await buyer.quote(request)))).status).toBe(200)
  } finally {
    await stack.stop()
    await other.stop()
  }
})
