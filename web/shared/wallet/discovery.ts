import { isFields, maybeStr } from '../shape.ts'
import { isProvider, type Provider, type WalletOption } from './provider.ts'

type Target = Pick<EventTarget, 'addEventListener' | 'removeEventListener' | 'dispatchEvent'>

/** Reads an announcement. The reverse-DNS name identifies a wallet, whatever its uuid. */
function readAnnouncement(event: Event): WalletOption | null {
  const detail: unknown = event instanceof CustomEvent ? event.detail : null
  if (!isFields(detail) || !isFields(detail['info']) || !isProvider(detail['provider'])) return null
  const info = detail['info']
  const id = maybeStr(info, 'rdns')
  if (id === null || id === '') return null
  const icon = maybeStr(info, 'icon')
  return {
    id,
    name: maybeStr(info, 'name') ?? id,
    // An SVG in an <img> runs no script. Any other address would be a foreign request.
    icon: icon?.startsWith('data:image/') ? icon : null,
    provider: detail['provider'],
  }
}

/**
 * Listens for EIP-6963 wallets, early and late ones, and calls `onChange` with the whole list each time it grows.
 * Returns the function that stops listening.
 */
export function discoverWallets(onChange: (options: WalletOption[]) => void, target: Target = window): () => void {
  const found = new Map<string, WalletOption>()
  const onAnnounce = (event: Event): void => {
    const option = readAnnouncement(event)
    if (option === null || found.get(option.id)?.provider === option.provider) return
    found.set(option.id, option)
    onChange([...found.values()])
  }
  target.addEventListener('eip6963:announceProvider', onAnnounce)
  target.dispatchEvent(new Event('eip6963:requestProvider'))
  return () => target.removeEventListener('eip6963:announceProvider', onAnnounce)
}

/** The announced wallets. If there are none, `window.ethereum` (old wallets and in-app browsers). */
export function withInjected(announced: WalletOption[], injected: unknown, name: string): WalletOption[] {
  if (!isProvider(injected)) return announced
  const known = announced.some((option) => option.provider === injected || includesProvider(injected, option.provider))
  // If wallets announce themselves, window.ethereum is one of them, often in a wrapper.
  if (known || announced.length > 0) return announced
  return [{ id: 'injected', name, icon: null, provider: injected }]
}

/** Some wallets list several providers in one object. */
function includesProvider(injected: Provider, provider: Provider): boolean {
  const many: unknown = 'providers' in injected ? injected.providers : null
  return Array.isArray(many) && many.includes(provider)
}

/**
 * The wallets as a list that is on screen shows them: those that were in it stay where they are, and new ones come after them, wallets
 * of this browser first.
 */
export function inPlace(before: readonly WalletOption[], now: readonly WalletOption[]): WalletOption[] {
  const stay = before.flatMap(({ id }) => now.find((option) => option.id === id) ?? [])
  const come = now.filter(({ id }) => !before.some((option) => option.id === id))
  return [
    ...stay,
    ...come.filter(({ remote }) => remote === undefined),
    ...come.filter(({ remote }) => remote !== undefined),
  ]
}
