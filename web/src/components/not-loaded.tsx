import { messages } from '../messages/active.ts'

/** Says what could not be loaded, with a button that tries again. */
export function NotLoaded(props: { text: string; onRetry(): void }) {
  return (
    <p class="notice" role="alert">
      {props.text}{' '}
      <button type="button" class="link" onClick={() => props.onRetry()}>
        {messages.common.retry}
      </button>
    </p>
  )
}
