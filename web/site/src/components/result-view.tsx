import { For, type JSX, Match, type ParentProps, Show, Switch } from 'solid-js'
import { formatAmount, USDC_DECIMALS } from '../../../../protocol/money.ts'
import { networkName } from '../../../../protocol/networks.ts'
import { CopyButton } from '../../../shared/copy-button.tsx'
import { HashLink } from '../../../shared/hash-link.tsx'
import { AIC_DECIMALS, formatDecimal } from '../../../shared/money.ts'
import { formatMoment, formatSeconds } from '../../../shared/time.ts'
import { randomSeed } from '../lib/json-schema.ts'
import { type Inference, type Metrics, promptOf } from '../lib/records/inference.ts'
import { studioLink } from '../lib/studio-link.ts'
import { messages, purchaseMessages } from '../messages/active.ts'
import { at } from '../messages/load.ts'
import { pathname } from '../primitives/router.ts'
import { Identicon } from './identicon.tsx'
import { Picture } from './picture.tsx'
import { Sound } from './sound.tsx'

interface Props {
  inference: Inference
  modelName: string
  /** Buys the same again, with another seed if one is given. */
  onAgain?: (seed?: number) => void
  /** On the page of the result. */
  receipt?: JSX.Element
}

/** The result, and below it the facts: price, compute, time, payment. */
export function ResultView(props: Props) {
  const prompt = (): string => promptOf(props.inference)
  return (
    <article class="result">
      <Show when={props.inference.status !== 'failed'}>
        <Output inference={props.inference} prompt={prompt()} ratio={props.inference.input?.['aspect_ratio']} />
      </Show>
      <div class="result-caption">
        <Identicon
          seed={props.inference.metrics.paymentTxHash ?? props.inference.id}
          lines={3}
          class="result-identicon"
        />
        <Show when={prompt() !== ''}>
          <p class="result-prompt" dir="auto">
            {prompt()}
          </p>
        </Show>
      </div>
      <Actions {...props} prompt={prompt()} />
      <Facts inference={props.inference} modelName={props.modelName} />
    </article>
  )
}

export function Output(props: {
  inference: Pick<Inference, 'id' | 'output'> & { metrics: Pick<Metrics, 'paymentTxHash'> }
  prompt: string
  /** Width to height of its pictures, such as `16:9`. */
  ratio: unknown
}) {
  const output = () => props.inference.output
  const media = (type: 'image' | 'audio'): string[] => {
    const found = output()
    return found !== null && found.type === type ? found.urls : []
  }
  const text = (): string | null => {
    const found = output()
    return found?.type === 'text' ? found.text : null
  }
  return (
    <Switch fallback={<p class="notice">{purchaseMessages.result.noOutput}</p>}>
      <Match when={media('image').length > 0}>
        <div class="pictures" classList={{ 'pictures-many': media('image').length > 1 }}>
          <For each={media('image')}>
            {(url) => <Picture url={url} prompt={props.prompt} id={props.inference.id} ratio={props.ratio} />}
          </For>
        </div>
      </Match>
      <Match when={media('audio').length > 0}>
        <For each={media('audio')}>
          {(url) => (
            <Sound
              url={url}
              seed={props.inference.metrics.paymentTxHash ?? props.inference.id}
              id={props.inference.id}
            />
          )}
        </For>
      </Match>
      <Match when={text()}>
        {(written) => (
          <div class="text-output" dir="auto">
            {written()}
          </div>
        )}
      </Match>
    </Switch>
  )
}

function Actions(props: ParentProps<Props & { prompt: string }>) {
  const text = (): string | null => (props.inference.output?.type === 'text' ? props.inference.output.text : null)
  const hasSeed = (): boolean => props.inference.input?.['seed'] !== undefined
  return (
    <div class="actions">
      <Show when={text()}>
        {(written) => (
          <CopyButton
            text={written()}
            what={purchaseMessages.result.copyText}
            button={purchaseMessages.result.copyText}
          />
        )}
      </Show>
      <Show when={props.onAgain}>
        {(onAgain) => (
          <>
            <button type="button" class="button button-quiet" onClick={() => onAgain()()}>
              {hasSeed() ? purchaseMessages.result.sameSeed : purchaseMessages.result.again}
            </button>
            <Show when={hasSeed()}>
              <button type="button" class="button button-quiet" onClick={() => onAgain()(randomSeed(MOST_SEED))}>
                {purchaseMessages.result.newSeed}
              </button>
            </Show>
          </>
        )}
      </Show>
      <Show
        when={props.inference.status !== 'failed' && props.inference.model !== null && props.inference.input !== null}
      >
        <a class="button button-quiet" href={at(studioLink(props.inference.model ?? '', props.inference.input ?? {}))}>
          {purchaseMessages.result.reuse}
        </a>
      </Show>
      <Show
        when={pathname().startsWith('/i/')}
        fallback={
          <a class="button button-quiet" href={at(`/i/${props.inference.id}`)}>
            {purchaseMessages.result.open}
          </a>
        }
      >
        {props.receipt}
      </Show>
    </div>
  )
}

/** What was paid, with its symbol. */
export function paidAmount({ paymentAmount: amount, estimatedCostUsdc: usdc }: Metrics): string | null {
  if (amount === null) return usdc === null ? null : messages.common.usdc(formatDecimal(usdc))
  // If the amount is not the USDC price, it is AIC with 18 decimals.
  const isUsdc = usdc !== null && formatAmount(BigInt(amount), USDC_DECIMALS) === usdc
  return isUsdc
    ? messages.common.usdc(formatDecimal(usdc))
    : messages.common.aic(formatDecimal(formatAmount(BigInt(amount), AIC_DECIMALS)))
}

function Facts(props: { inference: Inference; modelName: string }) {
  const metrics = () => props.inference.metrics
  return (
    <dl class="facts">
      <Fact name={purchaseMessages.result.model} value={props.modelName} />
      <Fact name={purchaseMessages.result.charged} value={paidAmount(metrics())} />
      <Fact name={purchaseMessages.result.seed} value={seedOf(props.inference)} />
      <Fact name={purchaseMessages.result.time} value={secondsOrNull(metrics().predictTimeMs)} />
      <Fact
        name={purchaseMessages.result.created}
        value={props.inference.createdAt === null ? null : formatMoment(props.inference.createdAt)}
      />
      <Fact name={purchaseMessages.result.network} value={networkName(metrics().paymentNetwork ?? '')} />
      <Show when={metrics().paymentTxHash}>
        {(hash) => (
          <div>
            <dt>{purchaseMessages.result.tx}</dt>
            <dd>
              <HashLink what={purchaseMessages.result.tx} hash={hash()} network={metrics().paymentNetwork} />
            </dd>
          </div>
        )}
      </Show>
    </dl>
  )
}

function Fact(props: { name: string; value: string | null }) {
  return (
    <Show when={props.value}>
      {(value) => (
        <div>
          <dt>{props.name}</dt>
          <dd class="figures">{value()}</dd>
        </div>
      )}
    </Show>
  )
}

const MOST_SEED = 1_000_000

function seedOf({ input }: Inference): string | null {
  const seed = input?.['seed']
  return typeof seed === 'number' ? String(seed) : null
}

function secondsOrNull(ms: number | null): string | null {
  return ms === null ? null : formatSeconds(ms / 1000)
}
