import { type Accessor, batch, createEffect, createSignal, on } from 'solid-js'
import { createChainClock, deviceClock } from '../../shared/chain-reads/chain-clock.ts'
import { createPlainRpc } from '../../shared/chain-reads/plain-rpc.ts'
import { repeat } from '../../shared/chain-reads/repeat.ts'
import { beginPage, nextTask } from '../../shared/task-queue.ts'
import { makeBehindCheck, makeLatestReader, type Purchase, readBlock } from './chain/purchases.ts'
import { readOwn, readSale, readTerms, type Terms } from './chain/read-sale.ts'
import type { SaleConfig } from './config.ts'
import type { SaleWallet } from './create-wallet.ts'
import type { Own, Sale } from './model/sale.ts'

const PAUSES = { visibleMs: 4_000, hiddenMs: 60_000 }

export interface SaleView {
  config: SaleConfig
  /** Null before the first read. What was read last stays while the node does not answer. */
  sale: Accessor<Sale | null>
  own: Accessor<Own | null>
  terms: Accessor<Terms | null>
  /** When claims begin, Unix seconds; 0 while it is not known. */
  tge: Accessor<number>
  /** When the last pause of claims ends or ended, Unix seconds. */
  claimsPausedUntil: Accessor<number>
  /** The newest ones. Apart from the figures: some nodes refuse to search logs. */
  purchases: Accessor<readonly Purchase[] | 'reading' | 'unread'>
  isUnreachable: Accessor<boolean>
  /** How old the node's newest block is by this device's clock, seconds. */
  blockAge: Accessor<number>
  /** The chain's time, Unix seconds; changes each second. */
  now: Accessor<number>
  /** Reads again at once. */
  update(): Promise<void>
}

/** Reads the sale every four seconds while the page is visible, and at once when the wallet changes. */
export function createSale(config: SaleConfig, { wallet }: SaleWallet): SaleView {
  const rpc = createPlainRpc(config.rpcUrl)
  const [sale, setSale] = createSignal<Sale | null>(null)
  const [own, setOwn] = createSignal<Own | null>(null)
  const [terms, setTerms] = createSignal<Terms | null>(null)
  const [tge, setTge] = createSignal(0)
  const [claimsPausedUntil, setClaimsPausedUntil] = createSignal(0)
  const [purchases, setPurchases] = createSignal<readonly Purchase[] | 'reading' | 'unread'>('reading')
  const [isUnreachable, setUnreachable] = createSignal(false)
  const [blockAge, setBlockAge] = createSignal(0)
  const { now, follow } = createChainClock()
  const isBehind = makeBehindCheck()
  const latest = makeLatestReader(rpc, config.presale)

  async function read(): Promise<void> {
    // Calls made at once leave in one request, so that one node answers them. The figures are shown without the terms too.
    const [head, reading, nextTerms] = await Promise.all([
      readBlock(rpc, 'latest'),
      readSale(rpc, config),
      terms() ?? readTerms(rpc, config),
    ])
    // Another node behind the same address may be a few blocks behind: what was shown is newer.
    if (head === null) return
    setBlockAge(Math.max(0, deviceClock() - head.time))
    if (isBehind(head.number)) return
    const { sale: next, tge: begins, lastPurchaseBlock } = reading
    const owner = wallet()?.address
    const nextOwn = owner === undefined ? null : await readOwn(rpc, config, owner, next.phases)
    if (sale() === null) {
      beginPage()
      await nextTask()
    }
    batch(() => {
      follow(head.time)
      setSale(next)
      setTge(begins)
      setClaimsPausedUntil(reading.claimsPausedUntil)
      setTerms(nextTerms)
      if (wallet()?.address === owner) setOwn(nextOwn)
    })
    setPurchases(await latest(lastPurchaseBlock).catch(unreadPurchases))
  }

  const update = async (): Promise<void> => {
    try {
      await read()
      setUnreachable(false)
    } catch (error) {
      console.warn('presale: the node does not answer', error)
      setUnreachable(true)
    }
  }
  const again = repeat(update, PAUSES)
  whenAddressChanges(wallet, () => {
    setOwn(null)
    void again()
  })
  return { config, sale, own, terms, tge, claimsPausedUntil, purchases, isUnreachable, blockAge, now, update: again }
}

function whenAddressChanges(wallet: SaleWallet['wallet'], change: () => void): void {
  createEffect(on(() => wallet()?.address, change, { defer: true }))
}

function unreadPurchases(error: unknown): 'unread' {
  console.warn('presale: the purchases could not be read', error)
  return 'unread'
}
