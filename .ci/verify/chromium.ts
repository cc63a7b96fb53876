import { access } from 'node:fs/promises'
import { run } from './run.ts'

const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * Path of a Chromium to test with: the one that `CHROMIUM_PATH` names, the system's, Playwright's own, or one installed now: from
 * Debian's packages where this is root on Debian, else by Playwright's download. Null where neither can be had.
 */
export async function findChromium(root: string): Promise<string | null> {
  const given = process.env['CHROMIUM_PATH']
  for (const path of [...(given === undefined ? [] : [given]), ...SYSTEM]) if (await exists(path)) return path
  const { chromium } = await import('@playwright/test')
  const own = chromium.executablePath()
  if (await exists(own)) return own
  const packaged = await installPackage(root)
  if (packaged !== null) return packaged
  const fetched = await run(['playwright', 'install', '--with-deps', 'chromium'], root)
  return fetched.code === 0 && (await exists(own)) ? own : null
}

/** Debian's `chromium`. Ubuntu's package of that name is an empty one that needs snap, so it is not tried there. */
async function installPackage(root: string): Promise<string | null> {
  const isDebian = (await exists('/etc/debian_version')) && !(await exists('/etc/lsb-release'))
  if (!isDebian || process.getuid?.() !== 0) return null
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const install = ['apt-get', 'install', '--yes', '--no-install-recommends', 'chromium']
  await run(['apt-get', 'update'], root, env)
  await run(install, root, env)
  const [path = ''] = SYSTEM
  return (await exists(path)) ? path : null
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
