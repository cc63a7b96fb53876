import { Deferred } from '../../../shared/deferred.tsx'
import { Composer } from '../components/composer.tsx'
import { ResultPanel } from '../components/result-panel.tsx'
import { Title } from '../components/shell.tsx'
import { messages } from '../messages/active.ts'
import { createComposer } from '../primitives/create-composer.ts'
import { takePrerendered } from '../primitives/prerendered.ts'

/** The studio: the form on the left, the result on the right. On a phone the form is above the result. */
export function Studio() {
  const composer = createComposer()
  return (
    <div class="studio">
      <Title>{messages.title}</Title>
      {takePrerendered('hero') ?? <Hero />}
      <Deferred>
        <Composer composer={composer} />
      </Deferred>
      <Deferred>
        <ResultPanel composer={composer} />
      </Deferred>
    </div>
  )
}

function Hero() {
  return (
    <header class="hero">
      <h1>{messages.studio.headline}</h1>
      <p>{messages.studio.sub}</p>
    </header>
  )
}
