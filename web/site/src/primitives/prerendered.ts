const SELECTORS = { brand: '.brand', nav: '.nav', hero: '.shell-studio .hero' } as const
type Part = keyof typeof SELECTORS

const parts = new Map(Object.entries(SELECTORS).map(([name, selector]) => [name, document.querySelector(selector)]))

/**
 * An element that index.html contains, so that it is painted before any script and not built again. Returns it once. Returns null
 * after that, and for the headline if the first page is not the studio.
 */
export function takePrerendered(name: Part): Element | null {
  const part = parts.get(name) ?? null
  parts.delete(name)
  return part
}
