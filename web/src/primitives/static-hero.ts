let hero = document.querySelector('.shell-studio .hero')

/**
 * The headline that index.html painted before any script ran, once: the studio takes it over as it stands, so that what a visitor
 * reads first is never painted twice. Null where the first page was another one.
 */
export function takeStaticHero(): Element | null {
  const taken = hero
  hero = null
  return taken
}
