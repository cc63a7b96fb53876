import { createSignal, Show } from 'solid-js'
import { copyText } from './files.ts'
import { shared } from './texts.ts'

interface Props {
  text: string
  what: string
  button?: string
  label?: string
  /** Copies something else, whose address is `text`. False if the browser refuses. */
  copy?(): Promise<boolean>
}

/**
 * Copies text: a button with `button`, a quiet link with `label`. Shows "Copied" for two seconds, also to screen readers. Where the browser
 * has no clipboard or refuses, the text is shown and one click selects all of it.
 */
export function CopyButton(props: Props) {
  const [state, setState] = createSignal<'ready' | 'copied' | 'refused'>('ready')
  const copy = async (): Promise<void> => {
    const copied = await (props.copy?.() ?? copyText(props.text))
    setState(copied ? 'copied' : 'refused')
    if (copied) setTimeout(() => setState('ready'), 2000)
  }
  return (
    <>
      <button
        type="button"
        classList={{
          'copy-button': props.button === undefined,
          button: props.button !== undefined,
          'button-quiet': props.button !== undefined,
        }}
        onClick={() => void copy()}
        aria-label={(props.button ?? props.label) === undefined ? `${shared.copy}: ${props.what}` : undefined}
      >
        <span aria-live="polite">
          {state() === 'copied' ? shared.copied : (props.button ?? props.label ?? shared.copy)}
        </span>
      </button>
      <Show when={state() === 'refused'}>
        <span class="copy-refused" role="alert">
          {shared.notCopied}{' '}
          <span class="copy-text" dir="auto">
            {props.text}
          </span>
        </span>
      </Show>
    </>
  )
}
