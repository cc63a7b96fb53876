/**
 * Keeps the page working while a browser translates it. A translator puts a `<font>` element in the place of each text node. Solid still
 * changes the text node, and inserts elements before it. So each text node is put back, empty, before its translation. When the text
 * node then changes or is removed, its translation is removed.
 */
export function keepTranslatedTexts(root: Node): void {
  const translations = new WeakMap<Node, Node>()
  const known = new WeakSet<Node>()
  const drop = (text: Node): void => {
    const translation = translations.get(text)
    translations.delete(text)
    translation?.parentNode?.removeChild(translation)
  }
  const observer = new MutationObserver((records) => {
    const putBack = new Set<Node>()
    for (const record of records) {
      if (record.type === 'characterData') {
        if (!putBack.has(record.target)) drop(record.target)
        continue
      }
      for (const text of record.removedNodes) {
        if (!(text instanceof Text) || text.parentNode === record.target) continue
        const translation = translationOf(record, known)
        drop(text)
        if (translation === undefined) continue
        putBackEmpty(text, translation, record.target)
        translations.set(text, translation)
        known.add(translation)
        putBack.add(text)
      }
    }
    // Ignore the changes made here.
    observer.takeRecords()
  })
  observer.observe(root, { childList: true, characterData: true, subtree: true })
}

/** The translator's element beside or instead of the removed text node. */
function translationOf(record: MutationRecord, known: WeakSet<Node>): Node | undefined {
  const near = [...record.addedNodes, record.previousSibling, record.nextSibling].filter((node) => node !== null)
  return near.find((node) => node.nodeName === 'FONT' && node.parentNode === record.target && !known.has(node))
}

function putBackEmpty(text: Text, translation: Node, parent: Node): void {
  // Some translators keep the text node itself inside their element.
  if (translation.contains(text)) text.replaceWith(text.cloneNode())
  text.data = ''
  parent.insertBefore(text, translation)
}
