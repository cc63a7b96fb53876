/** Resolves when the step back of the last closing is done. */
let settled: Promise<unknown> = Promise.resolve()

/** The state of the entry. */
const MARK = 'coinslot.open'
const isMarked = (): boolean => history.state === MARK

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
    if (!isMarked()) history.pushState(MARK, '')
    window.addEventListener('popstate', close)
  })
  return () => {
    if (!isOpen) return
    isOpen = false
    window.removeEventListener('popstate', close)
    if (isMarked()) {
      settled = new Promise((done) => window.addEventListener('popstate', done, { once: true }))
      history.back()
    }
    void settled.then(() => {
      history.scrollRestoration = 'auto'
    })
  }
}
