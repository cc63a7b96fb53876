import type { Problem } from '@coinslot/client/problem'
import { For, type ParentProps, Show } from 'solid-js'
import { problemTitle, reasonWords } from '../lib/purchase/reason-words.ts'
import { purchaseMessages } from '../messages/active.ts'
import { type Charge, ChargedNote } from './charged-note.tsx'

/** A problem: what happened, what was charged, what to do. Everything is shown as text. */
export function ProblemView(props: ParentProps<{ problem: Problem; charge?: Charge }>) {
  /** The service writes English. In other languages its title is replaced by ours, and a detail is left out that we cannot say. */
  const title = (): string => problemTitle(props.problem)
  const reason = (): string | null => reasonWords(props.problem.detail)
  const detail = (): string => reason() ?? props.problem.detail
  const charge = (): Charge | undefined => (props.problem.paymentState === 'settled' ? props.charge : undefined)
  const known = (): boolean => /^[a-z_]{3,40}$/.test(props.problem.code)
  return (
    <div class="problem" role="alert">
      <h2>{title()}</h2>
      <Show when={detail() !== props.problem.title && (reason() !== null || title() === props.problem.title)}>
        <p dir="auto">{detail()}</p>
      </Show>
      <Show when={props.problem.errors}>
        <ul>
          <For each={props.problem.errors}>
            {(error) => <li dir="auto">{purchaseMessages.stopped.field(error.path, error.message)}</li>}
          </For>
        </ul>
      </Show>
      <Show
        when={charge()}
        fallback={
          <Show when={purchaseMessages.stopped[props.problem.paymentState ?? 'unsaid']}>
            {(money) => <p class="problem-money">{money()}</p>}
          </Show>
        }
      >
        {(charged) => <ChargedNote charge={charged()} />}
      </Show>
      <div class="actions">{props.children}</div>
      <p class="problem-foot">
        <Show when={known()}>
          <a href={`/problems/${props.problem.code}`} rel="external">
            {purchaseMessages.stopped.explain}
          </a>
        </Show>
        {/* The reference of the charge is enough: two would leave open which to send. */}
        <Show when={!charge()?.reference && props.problem.requestId}>
          {(id) => <span>{purchaseMessages.stopped.reference(id())}</span>}
        </Show>
      </p>
    </div>
  )
}
