import { Show } from 'solid-js'
import { Deferred } from '../../../shared/deferred.tsx'
import { messages } from '../messages/active.ts'
import { Latest, PriceList, Routes, SaleFigures } from '../parts/figures.tsx'
import { Schedule } from '../parts/schedule.tsx'
import { StagePart } from '../parts/stage-part.tsx'
import { UnreadPart } from '../parts/unread-part.tsx'
import { useSale } from '../sale-context.tsx'

/** The sale: what it costs, the form, and what happens with money and tokens. */
export function SalePage() {
  const { view } = useSale()
  return (
    <Show when={view.sale()} fallback={<p class="hint">{messages.loading}</p>}>
      {(sale) => (
        <>
          <SaleFigures sale={sale()} />
          <Deferred>
            <StagePart sale={sale()} />
          </Deferred>
          <Show when={view.terms()} fallback={<UnreadPart />}>
            {(terms) => (
              <>
                <Deferred>
                  <Schedule terms={terms()} />
                </Deferred>
                <Deferred>
                  <Routes terms={terms()} />
                </Deferred>
              </>
            )}
          </Show>
          <Deferred>
            <PriceList sale={sale()} />
          </Deferred>
          <Deferred>
            <Latest />
          </Deferred>
        </>
      )}
    </Show>
  )
}
