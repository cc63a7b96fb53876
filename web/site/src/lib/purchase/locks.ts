import { keepsSiteData } from '../../../../shared/storage.ts'

/** Name of a wallet's lock. One tab at a time works on its payments. */
function nameFor(payer: string): string {
  return `coinslot.purchase.${payer.toLowerCase()}`
}

/** Without the Locks API (plain http, blocked site data) the page at least runs its own work in sequence. */
const running = new Map<string, Promise<void>>()

async function runInSequence(name: string, work: () => Promise<void>): Promise<void> {
  const before = running.get(name) ?? Promise.resolve()
  const mine = before.catch(() => undefined).then(work)
  running.set(name, mine)
  try {
    await mine
  } finally {
    if (running.get(name) === mine) running.delete(name)
  }
}

const hasLocks = (): boolean => 'locks' in navigator && keepsSiteData()

/** Runs `work` if the wallet's lock is free. Returns false if another tab has it. */
export async function ifFree(payer: string, work: () => Promise<void>): Promise<boolean> {
  if (!hasLocks()) {
    if (running.has(nameFor(payer))) return false
    await runInSequence(nameFor(payer), work)
    return true
  }
  return navigator.locks.request(nameFor(payer), { ifAvailable: true }, async (lock) => {
    if (lock === null) return false
    await work()
    return true
  })
}

/** Waits until no other tab has the wallet's lock, then runs `work`. */
export async function whenFree(payer: string, work: () => Promise<void>): Promise<void> {
  await (hasLocks() ? navigator.locks.request(nameFor(payer), work) : runInSequence(nameFor(payer), work))
}

/** Resolves after the time, immediately when the browser is online again, or when aborted. Not while it is offline. */
export function waitOnline(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      window.removeEventListener('online', finish)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(() => {
      if (navigator.onLine) finish()
    }, ms)
    window.addEventListener('online', finish)
    signal?.addEventListener('abort', finish)
  })
}
