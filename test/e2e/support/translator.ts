import type { Page } from '@playwright/test'

/** How a translator leaves the original text node: out of the page, or inside its own element. */
type Way = 'replaces' | 'wraps'

/** Translates a page as browsers do: each text goes into nested `<font>` elements, between « and ». Later texts follow. */
export async function translatePage(page: Page, way: Way): Promise<void> {
  await page.evaluate(translate, way)
}

/** Runs in the page. */
function translate(way: Way): void {
  const made = new WeakSet<Node>()
  const skipped = 'script, style, textarea, option, svg, font'
  const translateText = (text: Text): void => {
    if (made.has(text) || text.data.trim() === '' || text.parentElement?.closest(skipped)) return
    const outer = document.createElement('font')
    const inner = outer.appendChild(document.createElement('font'))
    const translated = `«${text.data.trim()}»`
    if (way === 'replaces') {
      const copy = inner.appendChild(document.createTextNode(translated))
      made.add(copy)
      text.replaceWith(outer)
    } else {
      made.add(text)
      text.replaceWith(outer)
      inner.append(text)
      text.data = translated
    }
  }
  const translateAll = (root: Node): void => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      if (node instanceof Text) texts.push(node)
    for (const text of texts) translateText(text)
  }
  translateAll(document.body)
  new MutationObserver((records) => {
    for (const { addedNodes, target, type } of records) {
      if (type === 'characterData' && target instanceof Text) translateText(target)
      for (const node of addedNodes) {
        if (node instanceof Text) translateText(node)
        else translateAll(node)
      }
    }
  }).observe(document.body, { childList: true, characterData: true, subtree: true })
}
