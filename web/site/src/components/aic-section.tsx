import { createSignal, createUniqueId, For, Show } from 'solid-js'
import { formatMoment } from '../../../shared/time.ts'
import { type AicContracts, type AicFigures, aicContracts, writeAicAmount } from '../lib/aic.ts'
import type { AicAction } from '../lib/move-aic.ts'
import type { Account } from '../lib/records/account.ts'
import { pageMessages } from '../messages/active.ts'
import { type AicState, createAic, inAic } from '../primitives/create-aic.ts'
import { createValue } from '../primitives/create-value.ts'

const text = () => pageMessages.aic

interface Props {
  account: Account
  onFigures(figures: AicFigures): void
  onChanged(): void
}

/** What AIC is; stake, unstake, withdraw, wrap and unwrap. Shows nothing if no contracts are configured. */
export default function AicSection(props: Props) {
  const contracts = createValue(() => true, aicContracts)
  return <Show when={contracts()}>{(found) => <Forms {...props} contracts={found()} />}</Show>
}

function Forms(props: Props & { contracts: AicContracts }) {
  const aic = createAic({
    contracts: props.contracts,
    sessionChain: () => props.account.chainId,
    onFigures: (figures) => props.onFigures(figures),
    onChanged: () => props.onChanged(),
  })
  return (
    <section class="stake" id="aic">
      <h2>{text().title}</h2>
      <For each={text().about}>{(line) => <p>{line}</p>}</For>
      <div class="aic-forms">
        <MoveForm aic={aic} title={text().stakeTitle} intro={text().stakeIntro} actions={['stake', 'unstake']} />
        <Show when={props.contracts.wrapped}>
          <MoveForm aic={aic} title={text().wrapTitle} intro={text().wrapIntro} actions={['wrap', 'unwrap']} />
        </Show>
      </div>
      <Show when={aic.figures()}>{(figures) => <Withdrawal aic={aic} figures={figures()} />}</Show>
    </section>
  )
}

interface FormProps {
  aic: AicState
  title: string
  intro: string
  actions: [AicAction, AicAction]
}

/** One amount, and two actions that move it there and back. */
function MoveForm(props: FormProps) {
  const id = createUniqueId()
  const [amount, setAmount] = createSignal('')
  const [notice, setNotice] = createSignal('')
  const run = async (action: AicAction): Promise<void> => {
    if (await props.aic.move(action, amount(), setNotice)) setAmount('')
  }
  return (
    <form class="stake-form" onSubmit={(event) => event.preventDefault()}>
      <h3>{props.title}</h3>
      <p>{props.intro}</p>
      <label for={id}>{text().amount(props.title)}</label>
      <input
        id={id}
        type="text"
        inputmode="decimal"
        autocomplete="off"
        value={amount()}
        onInput={(event) => setAmount(event.currentTarget.value)}
      />
      <p class="most">
        <For each={props.actions}>
          {(action) => (
            <Show when={props.aic.most(action) === null ? null : { atomic: props.aic.most(action) ?? 0n }}>
              {(most) => (
                <button type="button" class="link" onClick={() => setAmount(writeAicAmount(most().atomic))}>
                  {text().most(text()[action], inAic(most().atomic))}
                </button>
              )}
            </Show>
          )}
        </For>
      </p>
      <div class="actions">
        <For each={props.actions}>
          {(action, index) => (
            <button
              type="button"
              class={index() === 0 ? 'button' : 'button button-quiet'}
              disabled={props.aic.isBusy()}
              onClick={() => void run(action)}
            >
              {text()[action]}
            </button>
          )}
        </For>
      </div>
      <p class="dialog-notice" role="status">
        {notice()}
      </p>
    </form>
  )
}

function Withdrawal(props: { aic: AicState; figures: AicFigures }) {
  const [notice, setNotice] = createSignal('')
  return (
    <div class="withdrawal">
      <Show when={props.figures.waiting.length > 0}>
        <For each={props.figures.waiting}>
          {({ amount, readyAt }) => <p>{text().pending(inAic(amount), formatMoment(readyAt.toISOString()))}</p>}
        </For>
        <p>{props.figures.isFull ? text().full : text().ownWait}</p>
      </Show>
      <Show when={props.figures.withdrawable > 0n}>
        <p>{text().ready(inAic(props.figures.withdrawable))}</p>
        <button
          type="button"
          class="button"
          disabled={props.aic.isBusy()}
          onClick={() => void props.aic.withdraw(setNotice)}
        >
          {text().withdraw}
        </button>
      </Show>
      <p class="dialog-notice" role="status">
        {notice()}
      </p>
    </div>
  )
}
