/** One tab at a time works on the payments of a wallet. */
function nameFor(payer: string): string {
  return `coinslot.purchase.${payer.toLowerCase()}`
}

/** An old browser, or one on plain http, has no locks: then a page at least keeps its own turns apart. */
const held = new Map<string, Promise<void>>()

async function enqueue(name: string, work: () => Promise<void>): Promise<void> {
  const before = held.get(name) ?? Promise.resolve()
  const turn = before.catch(() => undefined).then(work)
  held.set(name, turn)
  try {
    await turn
  } finally {
    if (held.get(name) === turn) held.delete(name)
  }
}

const hasLocks = (): boolean => 'locks' in navigator

/** Runs `work` if no other tab holds the wallet's lock; false where one does. */
export async function ifFree(payer: string, work: () => Promise<void>): Promise<boolean> {
  if (!hasLocks()) {
    if (held.has(nameFor(payer))) return false
    await enqueue(nameFor(payer), work)
    return true
  }
  return navigator.locks.request(nameFor(payer), { ifAvailable: true }, async (lock) => {
    if (lock === null) return false
    await work()
    return true
  })
}

/** Waits for the wallet's lock, for as long as another tab lives and works, then runs `work`. */
export async function whenFree(payer: string, work: () => Promise<void>): Promise<void> {
  await (hasLocks() ? navigator.locks.request(nameFor(payer), work) : enqueue(nameFor(payer), work))
}

/** Resolves after the time; while the browser is offline not before it is back, and then at once. Nothing is left when aborted. */
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
