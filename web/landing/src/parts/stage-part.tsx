import { createMemo, type JSX, Match, Show, Switch } from 'solid-js'
import { at } from '../config.ts'
import { aic, moment, span, usdc } from '../format.ts'
import { messages } from '../messages/active.ts'
import { isRefundAChoice, offersOf, type Sale, type Stage, stageOf } from '../model/sale.ts'
import { useSale } from '../sale-context.tsx'
import { BuyForm } from './buy-form.tsx'
import { WithWallet } from './wallet-part.tsx'
import { Finish, Refund } from './ways-out.tsx'

/** The stage that a Match narrows to. */
const when = <At extends Stage['at']>(stage: Stage, at: At): Extract<Stage, { at: At }> | null =>
  isAt(stage, at) ? stage : null
const isAt = <At extends Stage['at']>(stage: Stage, at: At): stage is Extract<Stage, { at: At }> => stage.at === at

/** What the sale is in, in one sentence, and what a person can do now. */
export function StagePart(props: { sale: Sale }) {
  const { view } = useSale()
  const lead = (): number => view.config.phaseId
  const stage = (): Stage => stageOf(props.sale, lead(), view.now())
  const offers = createMemo(() => offersOf(props.sale, lead(), view.now()))
  return (
    <section class="stage" aria-label={messages.form.title}>
      <Switch fallback={<Line>{overWords(stage())}</Line>}>
        <Match when={when(stage(), 'waiting')}>
          {(at) => <Line>{messages.stages.waiting(moment(at().phase.start))}</Line>}
        </Match>
        <Match when={when(stage(), 'open')}>
          {(at) => (
            <>
              <h2>{messages.stages.open(at().phase.id)}</h2>
              <Show when={at().isOther}>
                <Line>{messages.stages.other(lead(), at().phase.id)}</Line>
              </Show>
              <WithWallet title={messages.wallet.title}>
                <BuyForm phase={at().phase} />
              </WithWallet>
            </>
          )}
        </Match>
        <Match when={when(stage(), 'sold_out')}>
          {(at) => (
            <Line>
              {messages.stages.sold_out(at().phase.id)} {messages.stages.next(at().next.id, moment(at().next.start))}
            </Line>
          )}
        </Match>
        <Match when={when(stage(), 'between')}>
          {(at) => <Line>{messages.stages.between(at().next.id, moment(at().next.start))}</Line>}
        </Match>
        <Match when={untilOf(stage())}>{(line) => <Line>{line()}</Line>}</Match>
      </Switch>
      <Show when={BEFORE_THE_END.includes(stage().at)}>
        <Line>{messages.stages.later(span(props.sale.coolingOff))}</Line>
      </Show>
      <Bought />
      <Show when={offers().includes('finish')}>
        <Finish />
      </Show>
      <Show when={offers().includes('refund')}>
        <Refund isChoice={isRefundAChoice(props.sale, lead(), view.now())} />
      </Show>
      <Show when={offers().includes('claim')}>
        <Show when={view.now() < view.tge()}>
          <Line>{messages.claim.atTge(moment(view.tge()))}</Line>
        </Show>
        <p>
          <a class="button" href={at('/claim')}>
            {messages.claim.title}
          </a>
        </p>
      </Show>
    </section>
  )
}

const BEFORE_THE_END: readonly Stage['at'][] = ['waiting', 'open', 'sold_out', 'all_sold', 'between']

/** What the connected wallet has bought. */
function Bought() {
  const { view } = useSale()
  return (
    <Show when={view.own()}>
      {(own) => (
        <Show when={own().boughtUsdc > 0n}>
          <Line>{messages.stages.own(aic(own().boughtAic), usdc(own().boughtUsdc))}</Line>
        </Show>
      )}
    </Show>
  )
}

/** The sentence of a stage that lasts until a moment; null for the others. */
function untilOf(stage: Stage): string | null {
  if (stage.at !== 'all_sold' && stage.at !== 'cooling_off' && stage.at !== 'paused') return null
  return messages.stages[stage.at](moment(stage.until))
}

/** The sentence of a stage without a phase; null for the others. */
function overWords({ at: stage }: Stage): string | null {
  return stage === 'ended' || stage === 'missed' || stage === 'finalized' || stage === 'cancelled'
    ? messages.stages[stage]
    : null
}

function Line(props: { children: JSX.Element }) {
  return <p class="stage-line">{props.children}</p>
}
