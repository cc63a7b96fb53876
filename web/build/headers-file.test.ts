import { expect, it } from 'vitest'
import { contentPolicy } from './headers-file.ts'

const inline = { script: "'sha256-a'", style: "'sha256-b'" }
const directive = (policy: string, name: string): string | undefined =>
  policy.split('; ').find((part) => part.startsWith(name))

it('default: a build without WalletConnect connects to its own origin and frames nothing', () => {
  const policy = contentPolicy(inline, { isLocal: false, mediaOrigin: '', walletConnect: false })
  expect(directive(policy, 'connect-src')).toBe("connect-src 'self'")
  expect(directive(policy, 'frame-src')).toBeUndefined()
})

it('behavior: WalletConnect adds its relay, its nodes and its Verify page', () => {
  const policy = contentPolicy(inline, { isLocal: false, mediaOrigin: 'https://m.example', walletConnect: true })
  expect(directive(policy, 'connect-src')).toBe(
    "connect-src 'self' https://m.example wss://relay.walletconnect.org https://rpc.walletconnect.org",
  )
  expect(directive(policy, 'frame-src')).toBe('frame-src https://verify.walletconnect.org')
})
