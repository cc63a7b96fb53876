import { Show } from 'solid-js'
import { createAction } from '../create-action.ts'
import { usdc } from '../format.ts'
import { messages } from '../messages/active.ts'
import { useSale } from '../sale-context.tsx'
import { ActionNotice } from './action-part.tsx'
import { WithWallet } from './wallet-part.tsx'

/** Takes all of one's USDC back. */
export function Refund() {
  const { wallet, view } = useSale()
  const action = createAction(wallet, view, messages.refund.done)
  return (
    <WithWallet title={messages.wallet.claimTitle}>
      <Show when={view.own()}>
        {(own) => (
          <Show when={own().boughtUsdc > 0n} fallback={<p>{messages.refund.nothing}</p>}>
            <button
              type="button"
              class="button"
              disabled={action.step() !== null}
              onClick={() => void action.run((pay, call) => pay.refund(call))}
            >
              {messages.refund.button(usdc(own().boughtUsdc))}
            </button>
          </Show>
        )}
      </Show>
      <ActionNotice action={action} />
    </WithWallet>
  )
}

/** Makes the sale final. For anyone. */
export function Finish() {
  const { wallet, view } = useSale()
  const action = createAction(wallet, view, messages.finish.done)
  return (
    <WithWallet title={messages.finish.help}>
      <p class="hint">{messages.finish.help}</p>
      <button
        type="button"
        class="button"
        disabled={action.step() !== null}
        onClick={() => void action.run((pay, call) => pay.finalize(call))}
      >
        {messages.finish.button}
      </button>
      <ActionNotice action={action} />
    </WithWallet>
  )
}
