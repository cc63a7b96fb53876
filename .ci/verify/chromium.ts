import { access } from 'node:fs/promises'
import { run } from './run.ts'

const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Path of a Chromium to test with: the system's, Playwright's own, or one fetched now. Null where none may be fetched. */
export async function findChromium(root: string): Promise<string | null> {
  const given = process.env['CHROMIUM_PATH']
  for (const path of [...(given === undefined ? [] : [given]), ...SYSTEM]) if (await exists(path)) return path
  const { chromium } = await import('@playwright/test')
  const own = chromium.executablePath()
  if (await exists(own)) return own
  const fetched = await run(['playwright', 'install', '--with-deps', 'chromium'], root)
  return fetched.code === 0 && (await exists(own)) ? own : null
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
