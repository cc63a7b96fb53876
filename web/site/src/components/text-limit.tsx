import { createMemo, Show } from 'solid-js'
import { formatNumber } from '../../../shared/money.ts'
import { countNear } from '../lib/json-schema.ts'
import { messages } from '../messages/active.ts'

interface Props {
  /** Id of the line, for `aria-describedby` of the field. */
  id: string
  text: string
  most: number
}

/** How long a text is, when it is near its limit or above it: `10,412 / 10,000`. Nothing is cut. */
export function TextLimit(props: Props) {
  const count = createMemo(() => countNear(props.text, props.most))
  return (
    <Show when={count()}>
      <p id={props.id} class="text-limit" classList={{ 'field-error': count() > props.most }}>
        <bdi class="figures" dir="ltr">
          {formatNumber(count())} / {formatNumber(props.most)}
        </bdi>{' '}
        <Show when={count() > props.most}>
          <span role="alert">{messages.studio.tooLong(formatNumber(props.most))}</span>
        </Show>
      </p>
    </Show>
  )
}
