import { createEffect, onCleanup } from 'solid-js'

/**
 * Shows a state before the tab's title while this part of the page is shown: `isEnd` only until the tab is looked at. An empty text
 * leaves the title as it is.
 */
export function createTabTitle(state: () => { text: string; isEnd: boolean }): void {
  createEffect(() => {
    const { text, isEnd } = state()
    if (text === '' || (isEnd && !document.hidden)) return
    const before = document.title
    const shown = `${text} · ${before}`
    document.title = shown
    const restore = (): void => {
      // A page that was opened meanwhile has set its own.
      if (document.title === shown) document.title = before
    }
    const onLook = (): void => {
      if (isEnd && !document.hidden) restore()
    }
    document.addEventListener('visibilitychange', onLook)
    onCleanup(() => {
      document.removeEventListener('visibilitychange', onLook)
      restore()
    })
  })
}
