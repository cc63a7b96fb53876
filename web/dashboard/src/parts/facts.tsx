import { For, type JSX } from 'solid-js'

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
