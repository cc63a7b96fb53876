import { excerptOf } from '@coinslot/client/excerpt'
import { type Problem, ProblemError, readProblem } from '@coinslot/client/problem'
import { createEffect, createSignal, Match, onCleanup, Show, Switch } from 'solid-js'
import { saveBlob } from '../../../shared/files.ts'
import { ProblemView } from '../components/problem-view.tsx'
import { paidAmount, ResultView } from '../components/result-view.tsx'
import { SharePanel } from '../components/share-panel.tsx'
import { Title } from '../components/shell.tsx'
import { SignInNeeded } from '../components/sign-in-needed.tsx'
import { getJson, service } from '../lib/api.ts'

import { type Inference, promptOf, readInference } from '../lib/records/inference.ts'
import { studioLink } from '../lib/studio-link.ts'
import { messages, pageMessages, purchaseMessages } from '../messages/active.ts'
import { at } from '../messages/load.ts'
import { useApp } from '../primitives/app-context.tsx'
import { createValue } from '../primitives/create-value.ts'
import { resultId } from '../primitives/router.ts'

const POLL_MS = 2500
const HEADING_LENGTH = 80

/** One inference of the signed-in wallet. The page polls it while it is pending. */
export default function Result() {
  const app = useApp()
  const [heading, setHeading] = createSignal<string>(messages.studio.result)
  return (
    <section class="page page-result">
      <Title>{pageMessages.titles.of(heading())}</Title>
      <h1 class="visually-hidden">{heading()}</h1>
      <SignInNeeded>
        <Show when={`${app.identity.session()?.address}/${resultId()}`} keyed>
          {(_) => <Loaded id={resultId()} onHeading={setHeading} />}
        </Show>
      </SignInNeeded>
    </section>
  )
}

type Found = { inference: Inference } | { problem: Problem }

function Loaded(props: { id: string; onHeading(text: string): void }) {
  const app = useApp()
  const found = createValue(() => props.id, load)
  const inference = (): Inference | null => {
    const now = found()
    return now !== undefined && 'inference' in now ? now.inference : null
  }
  const problem = (): Problem | null => {
    const now = found()
    return now !== undefined && 'problem' in now ? now.problem : null
  }
  createEffect(() => {
    if (inference()?.status !== 'pending') return
    const timer = setTimeout(() => found.reload(), POLL_MS)
    onCleanup(() => clearTimeout(timer))
  })
  const modelName = (id: string | null): string => app.models()?.find((model) => model.id === id)?.name ?? id ?? ''
  createEffect(() => {
    const found = inference()
    props.onHeading(excerptOf((found === null ? '' : promptOf(found)) || messages.studio.result, HEADING_LENGTH))
  })
  return (
    <Switch fallback={<div class="skeleton skeleton-block" role="status" aria-label={messages.common.loading} />}>
      <Match when={problem()}>{(what) => <ProblemView problem={what()} />}</Match>
      <Match when={inference()?.status === 'pending' && inference()}>
        {(what) => (
          <div class="notice" role="status">
            <p>{purchaseMessages.result.pending}</p>
            <p dir="auto">{promptOf(what())}</p>
          </div>
        )}
      </Match>
      <Match when={inference()}>
        {(what) => (
          <>
            <Show when={what().status === 'failed'}>
              <Failure inference={what()} />
            </Show>
            <ResultView
              inference={what()}
              modelName={modelName(what().model)}
              receipt={what().status === 'succeeded' && <ReceiptButton id={what().id} />}
            />
            <Show when={what().status === 'succeeded'}>
              <SharePanel id={what().id} />
            </Show>
          </>
        )}
      </Match>
    </Switch>
  )
}

function Failure(props: { inference: Inference }) {
  const problem = (): Problem => {
    const { error, paymentState, metrics } = props.inference
    const isUnused = paymentState === 'unused' || metrics.paymentTxHash === null
    const members = { code: error?.code ?? 'inference_failed', title: purchaseMessages.stopped.failed }
    return readProblem({ ...members, detail: error?.detail, paymentState: isUnused ? 'unused' : 'settled' }, 0)
  }
  return (
    <ProblemView
      problem={problem()}
      charge={{
        amount: paidAmount(props.inference.metrics),
        transaction: props.inference.metrics.paymentTxHash,
        network: props.inference.metrics.paymentNetwork,
        reference: props.inference.id,
        refund: props.inference.refund,
      }}
    >
      <a class="button" href={at(studioLink(props.inference.model ?? '', props.inference.input ?? {}))}>
        {purchaseMessages.stopped.again}
      </a>
    </ProblemView>
  )
}

/** Saves the signed receipt of an inference. Says so if the deployment does not sign receipts. */
function ReceiptButton(props: { id: string }) {
  const [missing, setMissing] = createSignal(false)
  const save = async (): Promise<void> => {
    const response = await service().call(`/api/inference/${encodeURIComponent(props.id)}/receipt`)
    setMissing(!response.ok)
    if (response.ok) saveBlob(await response.blob(), `coinslot-receipt-${props.id.slice(0, 8)}.json`)
  }
  return (
    <button type="button" class="button button-quiet" onClick={() => void save()}>
      <span aria-live="polite">{missing() ? pageMessages.receipt.none : pageMessages.receipt.save}</span>
    </button>
  )
}

async function load(id: string): Promise<Found> {
  try {
    return { inference: await getJson(`/api/inference/${encodeURIComponent(id)}`, readInference) }
  } catch (error) {
    if (error instanceof ProblemError) return { problem: error.problem }
    return { problem: readProblem({ title: messages.errors.offline }, 0) }
  }
}
