/** Resolves when no step back of ours is under way. */
let settled: Promise<unknown> = Promise.resolve()

/** The state of our entry. */
const MARK = 'coinslot.open'
const isOurs = (): boolean => history.state === MARK

/**
 * Puts an entry into the browser's history for what is open over the page, so that the back button closes that and does not leave
 * the page. Calls `close` then. Returns a function that takes the entry away when it was closed otherwise.
 */
export function catchBackButton(close: () => void): () => void {
  let isOpen = true
  void settled.then(() => {
    if (!isOpen) return
    // Closing must not scroll the page back to where it was when the dialog opened.
    history.scrollRestoration = 'manual'
    // After a reload the entry is there already.
    if (!isOurs()) history.pushState(MARK, '')
    window.addEventListener('popstate', close)
  })
  return () => {
    isOpen = false
    window.removeEventListener('popstate', close)
    if (isOurs()) {
      settled = new Promise((done) => window.addEventListener('popstate', done, { once: true }))
      history.back()
    }
    void settled.then(() => {
      history.scrollRestoration = 'auto'
    })
  }
}
