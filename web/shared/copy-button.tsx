import { createSignal } from 'solid-js'
import { copyText } from './files.ts'
import { shared } from './texts.ts'

/** Copies text: a button with `button`, a quiet link with `label`. Shows "Copied" for two seconds, also to screen readers. */
export function CopyButton(props: { text: string; what: string; button?: string; label?: string }) {
  const [copied, setCopied] = createSignal(false)
  const copy = async (): Promise<void> => {
    setCopied(await copyText(props.text))
    setTimeout(() => setCopied(false), 2000)
  }
  return (
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
      <span aria-live="polite">{copied() ? shared.copied : (props.button ?? props.label ?? shared.copy)}</span>
    </button>
  )
}
