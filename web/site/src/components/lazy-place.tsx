import { ErrorBoundary, type JSX, type ParentProps, Show, Suspense } from 'solid-js'
import { LoadError } from '../../../shared/load-code.ts'
import { messages } from '../messages/active.ts'
import { at } from '../messages/load.ts'

/** The place of a lazy component: a placeholder meanwhile, and a sentence if its code cannot be loaded. */
export function LazyPlace(
  props: ParentProps<{ placeholder?: JSX.Element; failedClass?: string; resultId?: string | undefined }>,
) {
  return (
    <ErrorBoundary
      fallback={(error: unknown) => (
        <LoadFailed error={error} class={props.failedClass ?? ''} resultId={props.resultId} />
      )}
    >
      <Suspense fallback={props.placeholder}>{props.children}</Suspense>
    </ErrorBoundary>
  )
}

/** Says what the service did not answer, with a button that asks again. */
export function NotLoaded(props: { text: string; class?: string; onRetry(): void }) {
  return (
    <p class={props.class ?? 'notice'} role="alert">
      {props.text}{' '}
      <button type="button" class="link" onClick={() => props.onRetry()}>
        {messages.common.retry}
      </button>
    </p>
  )
}

/** Says that a part of the page failed, and how to continue. */
export function LoadFailed(props: { error?: unknown; text?: string; class?: string; resultId?: string | undefined }) {
  if (props.error !== undefined) console.warn('coinslot: a part of the page failed', props.error)
  const text = (): string =>
    props.text ?? (props.error instanceof LoadError ? messages.errors.notLoaded : messages.errors.title)
  return (
    <div class={`notice ${props.class ?? ''}`} role="alert">
      <p>{text()}</p>
      <div class="actions">
        <Show when={props.resultId}>
          {(id) => (
            <a class="button" href={at(`/i/${id()}`)} rel="external">
              {messages.errors.openResult}
            </a>
          )}
        </Show>
        <button type="button" class="button button-quiet" onClick={() => location.reload()}>
          {messages.errors.reload}
        </button>
      </div>
    </div>
  )
}
