import type { BrowserContext, Page } from '@playwright/test'
import { type Hex, hexToString, isHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import * as z from 'zod'

/** The answer to the page side of the wallet: a value, or a value to throw. */
type Reply = { ok: unknown } | { thrown: unknown }
type Answer = (params: unknown[]) => unknown

export interface WalletOptions {
  key: Hex
  chainId: number
  rpcUrl: string
  rdns?: string
  name?: string
  /** How the page finds it: announced (EIP-6963), as `window.ethereum`, both with one object, or announced on demand. */
  shows?: 'announced' | 'injected' | 'both' | 'late'
}

/** Thrown by an override. The page sees exactly this value as the rejection. */
export class Rejects {
  readonly value: unknown
  constructor(value: unknown) {
    this.value = value
  }
}

const typedDataSchema = z.object({
  domain: z.object({ name: z.string(), version: z.string(), chainId: z.number(), verifyingContract: z.string() }),
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  message: z.record(z.string(), z.string()),
})
export type SignedDocument = z.infer<typeof typedDataSchema>

/** An EIP-1193 wallet that signs with a key in the test. Its answers can be overridden. */
export class TestWallet {
  account: PrivateKeyAccount
  chainId: number
  /** Every request in order. */
  readonly requests: { method: string; params: unknown[] }[] = []
  /** EIP-712 documents that were signed. */
  readonly signed: SignedDocument[] = []
  /** Texts of `personal_sign`. */
  readonly messages: string[] = []
  /** The accounts that the wallet returns, or null for its own account. */
  accounts: (() => string[]) | null = null
  private readonly overrides = new Map<string, Answer>()
  private readonly options: WalletOptions
  private isConnected = false

  constructor(options: WalletOptions) {
    this.options = options
    this.account = privateKeyToAccount(options.key)
    this.chainId = options.chainId
  }

  /** Overrides the answer to a method. */
  on(method: string, answer: Answer): void {
    this.overrides.set(method, answer)
  }

  off(method: string): void {
    this.overrides.delete(method)
  }

  count(method: string): number {
    return this.requests.filter((request) => request.method === method).length
  }

  /** Installs the wallet in every page of the context. */
  async install(context: BrowserContext): Promise<void> {
    const { rdns = 'io.example.wallet', name = 'Example Wallet', shows = 'announced' } = this.options
    await context.exposeFunction(`wallet_${rdns.replaceAll('.', '_')}`, (method: string, params: unknown[]) =>
      this.reply(method, params),
    )
    await context.addInitScript(installInPage, { rdns, name, shows, call: `wallet_${rdns.replaceAll('.', '_')}` })
  }

  /** Fires a wallet event in a page. */
  async emit(page: Page, event: string, value: unknown): Promise<void> {
    await page.evaluate(
      ([name, detail]) => window.dispatchEvent(new CustomEvent('test-wallet', { detail: { name, detail } })),
      [event, value] as const,
    )
  }

  /** The answer as the page receives it. */
  async reply(method: string, params: unknown[]): Promise<Reply> {
    this.requests.push({ method, params })
    try {
      const own = this.overrides.get(method)
      return { ok: own ? await own(params) : await this.answer(method, params) }
    } catch (error) {
      if (error instanceof Rejects) return { thrown: error.value }
      return { thrown: { code: -32603, message: error instanceof Error ? error.message : String(error) } }
    }
  }

  /** The answer without an override. */
  async answer(method: string, params: unknown[]): Promise<unknown> {
    switch (method) {
      case 'eth_requestAccounts':
        this.isConnected = true
        return this.accounts?.() ?? [this.account.address]
      case 'eth_accounts':
        return this.isConnected ? (this.accounts?.() ?? [this.account.address]) : []
      case 'eth_chainId':
        return `0x${this.chainId.toString(16)}`
      case 'personal_sign':
        return this.signMessage(params[0])
      case 'eth_signTypedData_v4':
        return this.signDocument(params[1])
      default:
        return this.ask(method, params)
    }
  }

  private async signMessage(data: unknown): Promise<Hex> {
    if (!isHex(data)) throw new Error('personal_sign wants hex')
    this.messages.push(hexToString(data))
    return this.account.signMessage({ message: hexToString(data) })
  }

  private async signDocument(json: unknown): Promise<Hex> {
    const document = typedDataSchema.parse(JSON.parse(String(json)))
    this.signed.push(document)
    return this.account.signTypedData({
      ...document,
      domain: { ...document.domain, verifyingContract: asHex(document.domain.verifyingContract) },
    })
  }

  private async ask(method: string, params: unknown[]): Promise<unknown> {
    const response = await fetch(this.options.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const answer = z
      .object({ result: z.unknown(), error: z.unknown() })
      .partial()
      .parse(await response.json())
    if (answer.error !== undefined) throw new Rejects(answer.error)
    return answer.result
  }
}

function asHex(value: string): Hex {
  if (!isHex(value)) throw new Error('expected hex')
  return value
}

interface InPage {
  rdns: string
  name: string
  shows: WalletOptions['shows']
  call: string
}

/** Runs in the page, before its own script. */
function installInPage({ rdns, name, shows, call }: InPage): void {
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const provider = {
    async request({ method, params }: { method: string; params?: unknown }) {
      const ask = Reflect.get(window, call) as (method: string, params: unknown) => Promise<Reply>
      const reply = await ask(method, params ?? [])
      if ('thrown' in reply) throw reply.thrown
      return reply.ok
    },
    on(event: string, listener: (value: unknown) => void) {
      const set = listeners.get(event) ?? new Set()
      listeners.set(event, set.add(listener))
    },
    removeListener(event: string, listener: (value: unknown) => void) {
      listeners.get(event)?.delete(listener)
    },
  }
  window.addEventListener('test-wallet', (event) => {
    if (!(event instanceof CustomEvent)) return
    for (const listener of listeners.get(event.detail.name) ?? []) listener(event.detail.detail)
  })
  const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'
  const announce = (): void => {
    const detail = Object.freeze({ info: { uuid: `${rdns}-${Math.random()}`, name, icon, rdns }, provider })
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  }
  if (shows === 'injected' || shows === 'both') Reflect.set(window, 'ethereum', provider)
  if (shows === 'announced' || shows === 'both') {
    announce()
    window.addEventListener('eip6963:requestProvider', announce)
  }
  window.addEventListener('test-announce', announce)
}
