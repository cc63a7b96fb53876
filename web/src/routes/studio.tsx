import { Bed } from '../components/bed.tsx'
import { Composer } from '../components/composer.tsx'
import { InTurn } from '../components/in-turn.tsx'
import { Title } from '../components/title.tsx'
import { createComposer } from '../primitives/create-composer.ts'
import { takeStatic } from '../primitives/static-parts.ts'
import { words } from '../words/en.ts'

/** The studio: what to make on the left, what came out on the right; on a phone one above the other. */
export function Studio() {
  const composer = createComposer()
  return (
    <div class="studio">
      <Title>{words.titles.studio}</Title>
      {takeStatic('hero') ?? <Hero />}
      <InTurn>
        <Composer composer={composer} />
      </InTurn>
      <InTurn>
        <Bed composer={composer} />
      </InTurn>
    </div>
  )
}

function Hero() {
  return (
    <header class="hero">
      <h1>{words.studio.headline}</h1>
      <p>{words.studio.sub}</p>
    </header>
  )
}
