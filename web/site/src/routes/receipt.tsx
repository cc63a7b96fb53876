import { createSignal, createUniqueId, For, Match, Show, Switch } from 'solid-js'
import { formatAmount, USDC_DECIMALS } from '../../../../protocol/money.ts'
import { AIC_DECIMALS, formatDecimal } from '../../../shared/money.ts'
import { maybeStr } from '../../../shared/shape.ts'
import { formatMoment } from '../../../shared/time.ts'
import { Title } from '../components/shell.tsx'
import { getJson } from '../lib/api.ts'
import { type CheckedReceipt, checkReceipt, readSigner, sha256 } from '../lib/receipt.ts'
import { messages, pageMessages, purchaseMessages } from '../messages/active.ts'

const text = () => pageMessages.receipt

type Outcome = { receipt: CheckedReceipt; known: boolean } | 'unreadable'

/** Checks a signed receipt in the browser: its signer, its content, and whether a file matches it. */
export default function Receipt() {
  const id = createUniqueId()
  const [outcome, setOutcome] = createSignal<Outcome | null>(null)

  const check = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    try {
      const receipt = await checkReceipt(await file.text())
      const signer = await getJson('/.well-known/coinslot.json', readSigner).catch(() => null)
      setOutcome({ receipt, known: signer?.toLowerCase() === receipt.signer.toLowerCase() })
    } catch (cause) {
      console.warn('coinslot: not a receipt', cause instanceof Error ? cause.message : '')
      setOutcome('unreadable')
    }
  }
  const checked = () => {
    const now = outcome()
    return now === null || now === 'unreadable' ? null : now
  }
  return (
    <section class="page">
      <Title>{pageMessages.titles.receipt}</Title>
      <h1>{text().title}</h1>
      <p class="lead">{text().intro}</p>
      <div class="file">
        <label for={id}>{text().file}</label>
        <input
          id={id}
          type="file"
          accept=".json,application/json"
          onChange={(event) => void check(event.currentTarget.files?.[0])}
        />
      </div>
      <div role="status">
        <Switch>
          <Match when={outcome() === 'unreadable'}>
            <p class="notice notice-bad">{text().unreadable}</p>
          </Match>
          <Match when={checked()}>
            {(found) => (
              <p class="notice" classList={{ 'notice-bad': !found().known }}>
                {found().known ? text().valid : text().foreign(found().receipt.signer)}
              </p>
            )}
          </Match>
        </Switch>
      </div>
      <Show when={checked()}>{(found) => <Contents receipt={found().receipt} />}</Show>
    </section>
  )
}

function Contents(props: { receipt: CheckedReceipt }) {
  const value = (key: string): string => maybeStr(props.receipt.message, key) ?? ''
  const lines = (): [string, string][] => [
    [text().service, value('service')],
    [text().payer, value('payer')],
    [purchaseMessages.payment.to, value('payTo')],
    [purchaseMessages.payment.amount, amountOf(value('amount'), value('asset'))],
    [purchaseMessages.payment.network, value('network')],
    [purchaseMessages.result.tx, value('transaction')],
    [purchaseMessages.result.model, value('model')],
    [purchaseMessages.result.created, formatMoment(value('completedAt'))],
  ]
  return (
    <>
      <dl class="quote-lines">
        <For each={lines()}>
          {([name, value]) => (
            <div>
              <dt>{name}</dt>
              <dd class="figures quote-address">{value}</dd>
            </div>
          )}
        </For>
      </dl>
      <h2>{text().outputs}</h2>
      <For each={props.receipt.outputDigests}>
        {(digest, index) => <OutputCheck digest={digest} number={index() + 1} />}
      </For>
    </>
  )
}

/** Formats an amount of atomic units. An amount of 14 digits or more is AIC. */
function amountOf(atomic: string, asset: string): string {
  if (!/^\d+$/.test(atomic)) return atomic
  const isUsdc = atomic.length < 14
  const amount = formatDecimal(formatAmount(BigInt(atomic), isUsdc ? USDC_DECIMALS : AIC_DECIMALS))
  return `${messages.common.money(amount, isUsdc ? 'USDC' : 'AIC')} (${asset})`
}

function OutputCheck(props: { digest: string; number: number }) {
  const id = createUniqueId()
  const [same, setSame] = createSignal<boolean | null>(null)
  const compare = async (file: File | undefined): Promise<void> => {
    if (file !== undefined) setSame((await sha256(await file.arrayBuffer())) === props.digest)
  }
  return (
    <div class="file">
      <label for={id}>{text().output(props.number)}</label>
      <input id={id} type="file" onChange={(event) => void compare(event.currentTarget.files?.[0])} />
      <p class="figures hash">{props.digest}</p>
      <p role="status">
        <Show when={same() !== null}>{same() === true ? text().same : text().different}</Show>
      </p>
    </div>
  )
}
