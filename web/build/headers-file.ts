import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'
import { LANGUAGES, otherNamesOf, pathIn } from '../shared/languages.ts'

interface Options {
  /** The local stack serves its media from other ports of this machine. */
  isLocal: boolean
  /** Origin of the public media. If empty, media may come from any https address, and scripts cannot read them. */
  mediaOrigin: string
  /** True if the build offers WalletConnect. */
  walletConnect: boolean
  /** Other origins that scripts may call. */
  connect?: readonly string[]
}

/**
 * Writes `_headers` for Pages. The content policy allows inline scripts and styles only by their hashes. Vite's dev server sends the
 * same policy, but allows any inline element, which hot replacement needs.
 */
export function headersFile(options: Options): Plugin {
  return {
    name: 'coinslot-headers',
    enforce: 'post',
    config: (_, { command }) => (command === 'serve' ? { server: { headers: devHeaders(options) } } : {}),
    generateBundle(_, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') throw new Error('index.html is not in the bundle')
      this.emitFile({ type: 'asset', fileName: '_headers', source: headers(String(page.source), options) })
    },
  }
}

function headers(html: string, options: Options): string {
  return `/*
  Content-Security-Policy: ${contentPolicy({ script: hashes(html, 'script'), style: hashes(html, 'style') }, options)}
  Strict-Transport-Security: max-age=63072000; includeSubDomains; preload
  X-Content-Type-Options: nosniff
  X-Frame-Options: DENY
  Referrer-Policy: strict-origin-when-cross-origin
  Cross-Origin-Opener-Policy: same-origin-allow-popups
  Permissions-Policy: accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=(), browsing-topics=()
  Cache-Control: public, max-age=0, must-revalidate

/assets/*
  ! Cache-Control
  Cache-Control: public, max-age=31536000, immutable

/fonts/*
  ! Cache-Control
  Cache-Control: public, max-age=31536000, immutable

${LANGUAGES.map((language) => `${pathIn(language, '/s/*')}\n  X-Robots-Tag: noindex\n`).join('\n')}`
}

/** Hot replacement comes over a WebSocket, which `'self'` does not cover in every browser. */
const devHeaders = (options: Options): Record<string, string> => ({
  'Content-Security-Policy': contentPolicy({ script: "'unsafe-inline'", style: "'unsafe-inline'" }, options).replace(
    'connect-src',
    'connect-src ws://127.0.0.1:* ws://localhost:*',
  ),
})

/** WalletConnect's relay and its nodes, and its page that vouches for this site's origin to the wallet. */
const WALLETCONNECT = {
  connect: 'wss://relay.walletconnect.org https://rpc.walletconnect.org',
  frame: 'https://verify.walletconnect.org',
}

export function contentPolicy(
  inline: { script: string; style: string },
  { isLocal, mediaOrigin, walletConnect, connect = [] }: Options,
): string {
  // A test may run a relay on this machine.
  const relay = walletConnect ? WALLETCONNECT.connect : isLocal ? 'ws://127.0.0.1:*' : ''
  const media = isLocal ? 'http://127.0.0.1:* http://localhost:*' : mediaOrigin
  const shown = media === '' ? 'https:' : media
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.script}`,
    `style-src 'self' ${inline.style}`,
    "font-src 'self'",
    // Wallet icons are data addresses.
    `img-src 'self' data: blob: ${shown}`,
    `media-src 'self' blob: ${shown}`,
    ['connect-src', "'self'", media, relay, ...connect].filter((source) => source !== '').join(' '),
    ...(walletConnect ? [`frame-src ${WALLETCONNECT.frame}`] : []),
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Hashes of the page's inline elements of that kind, as a policy names them. */
function hashes(html: string, element: 'script' | 'style'): string {
  const inline = [...html.matchAll(new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, 'g'))]
  return inline.map(([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`).join(' ')
}

/** The addresses of the app, besides the start page. */
const PATHS = ['/history', '/account', '/stats', '/models', '/docs', '/receipt', '/i/*', '/s/*']

/** Writes `_redirects` for Pages: other names of a language lead to its folder, and its start page answers each address of the app. */
export function rewritesFile(): Plugin {
  return {
    name: 'coinslot-rewrites',
    apply: 'build',
    generateBundle() {
      const aliases = LANGUAGES.flatMap(({ folder }) =>
        otherNamesOf(folder).flatMap((alias) => [
          `/${alias} ${pathIn({ folder }, '/')} 302\n`,
          // Without its rest where that would follow a bare slash: `//host` is an address elsewhere.
          `/${alias}/* ${pathIn({ folder }, folder === '' ? '/' : '/:splat')} 302\n`,
        ]),
      )
      const pages = LANGUAGES.flatMap((language) =>
        PATHS.map((path) => `${pathIn(language, path)} ${pathIn(language, '/')} 200\n`),
      )
      const lines = [...aliases, ...pages]
      this.emitFile({ type: 'asset', fileName: '_redirects', source: lines.join('') })
    },
  }
}
