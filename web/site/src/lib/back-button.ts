/** The state of an entry of what is open. The page's own entries have none: `primitives/router.ts` steps back from any other. */
const MARK = 'coinslot.open'
const isMarked = (): boolean => history.state === MARK

/** Resolves on an entry of the page itself, when any step back is done. */
async function pageEntry(): Promise<void> {
  while (isMarked()) await new Promise((done) => window.addEventListener('popstate', done, { once: true }))
}

/**
 * Puts an entry into the browser's history for what is open over the page, so that the back button closes that and does not leave
 * the page. Calls `close` then. Returns a function that takes the entry away when it was closed otherwise.
 */
export function catchBackButton(close: () => void): () => void {
  let isOpen = true
  let hasEntry = false
  void pageEntry().then(() => {
    if (!isOpen) return
    // Closing must not scroll the page back to where it was when the dialog opened.
    history.scrollRestoration = 'manual'
    history.pushState(MARK, '')
    hasEntry = true
    window.addEventListener('popstate', close)
  })
  return () => {
    if (!isOpen) return
    isOpen = false
    window.removeEventListener('popstate', close)
    if (hasEntry && isMarked()) history.back()
    void pageEntry().then(() => {
      history.scrollRestoration = 'auto'
    })
  }
}
