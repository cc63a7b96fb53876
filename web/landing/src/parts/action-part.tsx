import { Show } from 'solid-js'
import { shortHex } from '../../../shared/wallet/provider.ts'
import type { Action } from '../create-action.ts'
import { messages } from '../messages/active.ts'
import { useSale } from '../sale-context.tsx'

/** What a call of the wallet waits for, and what it came to. */
export function ActionNotice(props: { action: Action }) {
  const { view } = useSale()
  return (
    <div role="status" class="action-notice">
      <Show when={props.action.step()}>{(step) => <p>{messages.steps[step()]}</p>}</Show>
      <Show when={props.action.notice()}>
        {(notice) => (
          <p class={notice().isGood ? 'notice' : 'notice notice-bad'}>
            {notice().text}{' '}
            <Show when={notice().hash}>
              {(hash) => (
                <Show when={view.config.explorer} fallback={<span class="figures">{shortHex(hash())}</span>}>
                  {(explorer) => (
                    <a href={`${explorer()}/tx/${hash()}`} target="_blank" rel="noreferrer" class="figures">
                      {shortHex(hash())}
                    </a>
                  )}
                </Show>
              )}
            </Show>
          </p>
        )}
      </Show>
    </div>
  )
}
