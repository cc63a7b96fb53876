import { For, type JSX, Show } from 'solid-js'
import { messages } from '../messages.ts'

export interface Figure {
  name: string
  /** Null when it could not be read. */
  value: string | null
  note?: string | undefined
}

/** The headline numbers of a page. */
export function Tally(props: { figures: readonly Figure[] }) {
  return (
    <dl class="tally">
      <For each={props.figures}>
        {({ name, value, note }) => (
          <div>
            <dt>{name}</dt>
            <dd classList={{ unread: value === null }}>{value ?? messages.unread}</dd>
            <Show when={note}>{(text) => <dd class="tally-note">{text()}</dd>}</Show>
          </div>
        )}
      </For>
    </dl>
  )
}

/** Instead of a part that could not be read. */
export function Unread() {
  return <p class="notice">{messages.unread}</p>
}

/** Names with their values. */
export function Facts(props: { facts: readonly (readonly [name: string, value: JSX.Element])[] }) {
  return (
    <dl class="fact-list">
      <For each={props.facts}>
        {([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd class="figures">{value}</dd>
          </div>
        )}
      </For>
    </dl>
  )
}
