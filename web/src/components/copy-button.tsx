import { createSignal } from 'solid-js'
import { copyText } from '../lib/browser.ts'
import { words } from '../words/en.ts'

/** Copies text; says so in place for two seconds, also to a screen reader. */
export function CopyButton(props: { text: string; what: string; words?: string }) {
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
      aria-label={props.words === undefined ? `${words.common.copy}: ${props.what}` : undefined}
    >
      <span aria-live="polite">{copied() ? words.common.copied : (props.words ?? words.common.copy)}</span>
    </button>
  )
}
