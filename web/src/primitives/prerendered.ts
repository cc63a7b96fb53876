const SELECTORS = { brand: '.brand', nav: '.nav', hero: '.shell-studio .hero' } as const
type Part = keyof typeof SELECTORS

const parts = new Map(Object.entries(SELECTORS).map(([name, selector]) => [name, document.querySelector(selector)]))

/**
 * A part that index.html painted before any script ran, once: the page takes it over as it stands, so that what a visitor sees first
 * is neither built nor painted twice. Null where it was taken, and for the headline where the first page is another than the studio.
 */
export function takePrerendered(name: Part): Element | null {
  const part = parts.get(name) ?? null
  parts.delete(name)
  return part
}
