import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { identicon } from '../site/src/lib/identicon.ts'

// Draws the PNG icons from icon.svg, and the Open Graph picture. Needs Chromium. Run it when the logo changes.

const PUBLIC = join(import.meta.dirname, '../site/public')
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const icon = await readFile(join(PUBLIC, 'icon.svg'), 'utf8')
for (const size of [180, 192, 512]) {
  await draw(
    `icon-${size}.png`,
    size,
    size,
    `<style>svg{width:${size}px;height:${size}px;display:block}</style>${icon}`,
  )
}
await draw('og.png', 1200, 630, await openGraph())
await browser.close()

async function draw(name: string, width: number, height: number, body: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height } })
  await page.setContent(`<body style="margin:0">${body}</body>`)
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  await page.screenshot({ path: join(PUBLIC, name), omitBackground: name !== 'og.png' })
  await page.close()
}

async function openGraph(): Promise<string> {
  const font = async (name: string) => (await readFile(join(PUBLIC, `fonts/${name}.woff2`))).toString('base64')
  const lines = identicon('coinslot', 7).map((line) => `<path d="${line}"/>`)
  return `<style>
@font-face{font-family:B;src:url(data:font/woff2;base64,${await font('bodoni-moda')});font-weight:400 700}
@font-face{font-family:H;src:url(data:font/woff2;base64,${await font('hanken-grotesk')});font-weight:400 700}
body{background:#f2f4f0;color:#14211c;font:400 30px/1.4 H;position:relative;width:1200px;height:630px;overflow:hidden}
h1{position:absolute;left:80px;top:172px;margin:0;font:500 100px/.98 B;letter-spacing:-.025em}
p{position:absolute;left:84px;top:436px;margin:0;color:#4c5a54}
b{position:absolute;left:84px;top:72px;font:500 38px/1 B}
svg{position:absolute;right:-150px;top:5px;width:620px}path{fill:none;stroke:#0b5b45;stroke-width:3.2}
</style><svg viewBox="-1000 -1000 2000 2000">${lines.join('')}</svg><b>Coinslot</b><h1>Pay a cent.<br>Get a picture.</h1><p>One signature, no gas, no account.</p>`
}
