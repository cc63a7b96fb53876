import { type Problem, ProblemError, readProblem } from '@coinslot/client/problem'
import { createEffect, Match, onCleanup, Show, Switch } from 'solid-js'
import { ProblemView } from '../components/problem-view.tsx'
import { promptOf, ResultView } from '../components/result-view.tsx'
import { Title } from '../components/shell.tsx'
import { SignInNeeded } from '../components/sign-in-needed.tsx'
import { getJson } from '../lib/api.ts'
import { type Inference, readInference } from '../lib/records/inference.ts'
import { messages } from '../messages/en.ts'
import { pageMessages } from '../messages/en-pages.ts'
import { purchaseMessages } from '../messages/en-purchase.ts'
import { useApp } from '../primitives/app-context.tsx'
import { createValue } from '../primitives/create-value.ts'
import { resultId } from '../primitives/router.ts'

const POLL_MS = 2500

/** One inference of the signed-in wallet. The page polls it while it is pending. */
export default function Print() {
  const app = useApp()
  return (
    <section class="page page-result">
      <Title>{pageMessages.titles.result}</Title>
      <h1 class="visually-hidden">{pageMessages.titles.result}</h1>
      <SignInNeeded>
        <Show when={`${app.identity.session()?.address}/${resultId()}`} keyed>
          {(_) => <Loaded id={resultId()} />}
        </Show>
      </SignInNeeded>
    </section>
  )
}

type Found = { inference: Inference } | { problem: Problem }

function Loaded(props: { id: string }) {
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
            <ResultView inference={what()} modelName={modelName(what().model)} />
          </>
        )}
      </Match>
    </Switch>
  )
}

function Failure(props: { inference: Inference }) {
  return (
    <div class="notice" role="alert">
      <p>
        <strong>{pageMessages.history.statuses.failed}.</strong> <bdi>{props.inference.error?.detail ?? ''}</bdi>
      </p>
      <p>
        {props.inference.paymentState === 'unused' ? purchaseMessages.stopped.unused : purchaseMessages.stopped.settled}
      </p>
    </div>
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
