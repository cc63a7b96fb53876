import { createSignal } from 'solid-js'
import { copyText } from '../lib/browser.ts'
import { messages } from '../messages/en.ts'

/** Copies text; with `words` as a button, with `label` as a quiet link of that name; says so in place for two seconds, also to a screen reader. */
export function CopyButton(props: { text: string; what: string; words?: string; label?: string }) {
  const [copied, setCopied] = createSignal(false)
  const copy = async (): Promise<void> => {
    setCopied(await copyText(props.text))
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <button
      type="button"
      classList={{
        'copy-button': props.words === undefined,
        button: props.words !== undefined,
        'button-quiet': props.words !== undefined,
      }}
      onClick={() => void copy()}
      aria-label={(props.words ?? props.label) === undefined ? `${messages.common.copy}: ${props.what}` : undefined}
    >
      <span aria-live="polite">
        {copied() ? messages.common.copied : (props.words ?? props.label ?? messages.common.copy)}
      </span>
    </button>
  )
}
