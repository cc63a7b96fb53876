import { access } from 'node:fs/promises'
import { run } from './run.ts'

/** `chromium-headless-shell` is Chromium without its window: the same engine for less processor time. */
type BrowserPackage = 'chromium' | 'chromium-headless-shell'

const WHOLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const SHELL = '/usr/bin/chromium-headless-shell'

/**
 * Path of a Chromium to test with: the one that `CHROMIUM_PATH` names, the system's, one installed now from Debian's packages where
 * this is root on Debian, or Playwright's own. Null where none can be had.
 */
export async function findChromium(root: string, name: BrowserPackage = 'chromium'): Promise<string | null> {
  const given = process.env['CHROMIUM_PATH']
  const wanted = name === 'chromium' ? WHOLE : [SHELL]
  const present = await firstExisting([...(given === undefined ? [] : [given]), ...wanted])
  const found = present ?? (await installPackage(root, name, wanted)) ?? (await firstExisting(WHOLE))
  if (found !== null) return found
  const { chromium } = await import('@playwright/test')
  const own = chromium.executablePath()
  if (await exists(own)) return own
  const fetched = await run(['playwright', 'install', '--with-deps', 'chromium'], root)
  return fetched.code === 0 && (await exists(own)) ? own : null
}

/** A package of Debian. Ubuntu's package of that name is an empty one that needs snap, so it is not tried there. */
async function installPackage(root: string, name: BrowserPackage, paths: readonly string[]): Promise<string | null> {
  const isDebian = (await exists('/etc/debian_version')) && !(await exists('/etc/lsb-release'))
  if (!isDebian || process.getuid?.() !== 0) return null
  const options = { env: { DEBIAN_FRONTEND: 'noninteractive' } }
  await run(['apt-get', 'update'], root, options)
  await run(['apt-get', 'install', '--yes', '--no-install-recommends', name], root, options)
  return firstExisting(paths)
}

async function firstExisting(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) if (await exists(path)) return path
  return null
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
