import { createSignal, Show } from 'solid-js'
import { createAction } from '../create-action.ts'
import { usdc } from '../format.ts'
import { messages } from '../messages/active.ts'
import { useSale } from '../sale-context.tsx'
import { ActionNotice } from './action-part.tsx'
import { WithWallet } from './wallet-part.tsx'

/** Takes all of one's USDC back. Asks once where staying is possible too: what was left cannot be bought again. */
export function Refund(props: { isChoice: boolean }) {
  const { wallet, view } = useSale()
  const [isAsking, setAsking] = createSignal(false)
  const action = createAction(wallet, view, messages.refund.done)
  const leave = (): void => {
    setAsking(false)
    void action.run((pay, call) => pay.refund(call))
  }
  const begin = (): void => {
    if (props.isChoice) setAsking(true)
    else leave()
  }
  return (
    <WithWallet title={messages.wallet.claimTitle}>
      <Show when={view.own()}>
        {(own) => (
          <Show when={own().boughtUsdc > 0n} fallback={<p>{messages.refund.nothing}</p>}>
            <Show
              when={isAsking()}
              fallback={
                <button type="button" class="button" disabled={action.step() !== null} onClick={begin}>
                  {messages.refund.button(usdc(own().boughtUsdc))}
                </button>
              }
            >
              <p>{messages.refund.ask}</p>
              <div class="actions">
                <button type="button" class="button" onClick={leave}>
                  {messages.refund.sure}
                </button>
                <button type="button" class="button button-quiet" onClick={() => setAsking(false)}>
                  {messages.refund.keep}
                </button>
              </div>
            </Show>
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
