import { createMemo, Match, Show, Switch } from 'solid-js'
import { nextUnlock } from '../../../dashboard/src/model/vesting.ts'
import { createAction } from '../create-action.ts'
import { aic, moment } from '../format.ts'
import { messages } from '../messages/active.ts'
import { isRefundAChoice, type Own, offersOf, type Sale, stageOf } from '../model/sale.ts'
import { ActionNotice } from '../parts/action-part.tsx'
import { Schedule } from '../parts/schedule.tsx'
import { UnreadPart } from '../parts/unread-part.tsx'
import { WithWallet } from '../parts/wallet-part.tsx'
import { Finish, Refund } from '../parts/ways-out.tsx'
import { useSale } from '../sale-context.tsx'

/** Claiming after the sale, or taking USDC back when it failed. */
export function ClaimPage() {
  const { view } = useSale()
  const offers = createMemo(() => {
    const sale = view.sale()
    return sale === null ? [] : offersOf(sale, view.config.phaseId, view.now())
  })
  /** Why the USDC can be taken back. */
  const refundWords = (sale: Sale): string => {
    const stage = stageOf(sale, view.config.phaseId, view.now())
    if (stage.at === 'cooling_off') return messages.stages.cooling_off(moment(stage.until))
    return stage.at === 'missed' || stage.at === 'cancelled' ? messages.stages[stage.at] : messages.stages.ended
  }
  return (
    <>
      <section class="stage" aria-label={messages.claim.page}>
        <Switch fallback={<p class="stage-line">{messages.claim.running}</p>}>
          <Match when={view.sale() === null}>
            <p class="hint">{messages.loading}</p>
          </Match>
          <Match when={offers().includes('refund') && view.sale()}>
            {(sale) => (
              <>
                <p class="stage-line">{refundWords(sale())}</p>
                <Show when={offers().includes('finish')}>
                  <Finish />
                </Show>
                <Refund isChoice={isRefundAChoice(sale(), view.config.phaseId, view.now())} />
              </>
            )}
          </Match>
          <Match when={offers().includes('claim')}>
            <WithWallet title={messages.wallet.claimTitle}>
              <Show when={view.own()}>{(own) => <Claims own={own()} />}</Show>
            </WithWallet>
          </Match>
        </Switch>
      </section>
      <Show when={view.terms()} fallback={<UnreadPart />}>
        {(terms) => <Schedule terms={terms()} />}
      </Show>
    </>
  )
}

function Claims(props: { own: Own }) {
  const { wallet, view } = useSale()
  const action = createAction(wallet, view, messages.claim.done)
  const free = (): bigint => props.own.vested - props.own.claimed
  const isPaused = (): boolean => view.now() < view.claimsPausedUntil()
  const next = (): string => {
    const terms = view.terms()
    if (terms === null) return ''
    const time = nextUnlock({ amount: props.own.total, ...terms }, view.tge(), view.now())
    const words = time === null ? messages.claim.allFree : time <= view.now() ? messages.claim.bit : moment(time)
    return `${messages.claim.next}: ${words}`
  }
  return (
    <Show when={props.own.total > 0n} fallback={<p>{messages.claim.nothing}</p>}>
      <dl class="tally">
        <Figure label={messages.claim.bought} value={aic(props.own.total)} />
        <Figure label={messages.claim.vested} value={aic(props.own.vested)} />
        <Figure label={messages.claim.claimed} value={aic(props.own.claimed)} />
      </dl>
      <p class="hint">{view.now() < view.tge() ? messages.claim.atTge(moment(view.tge())) : next()}</p>
      <Show when={isPaused()}>
        <p class="notice">{messages.claim.paused(moment(view.claimsPausedUntil()))}</p>
      </Show>
      <button
        type="button"
        class="button"
        disabled={free() === 0n || isPaused() || action.step() !== null}
        onClick={() => void action.run((pay, call) => pay.claim(call))}
      >
        {free() === 0n ? messages.claim.none : messages.claim.button(aic(free()))}
      </button>
      <ActionNotice action={action} />
    </Show>
  )
}

function Figure(props: { label: string; value: string }) {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd>{props.value}</dd>
    </div>
  )
}
