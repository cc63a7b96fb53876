import { ProblemError } from '@coinslot/client/problem'
import { Match, onCleanup, onMount, Show, Switch } from 'solid-js'
import { fields, maybeFields, maybeStr, str } from '../../../shared/shape.ts'
import { formatDate } from '../../../shared/time.ts'
import { Output } from '../components/result-view.tsx'
import { Title } from '../components/shell.tsx'
import { getJson } from '../lib/api.ts'
import { type Output as Made, readOutput } from '../lib/records/inference.ts'
import { messages, pageMessages } from '../messages/active.ts'
import { at } from '../messages/load.ts'
import { useApp } from '../primitives/app-context.tsx'
import { createValue } from '../primitives/create-value.ts'
import { resultId } from '../primitives/router.ts'

interface SharedResult {
  model: string
  prompt: string | null
  output: Made | null
  /** Width to height of its pictures, such as `16:9`. */
  aspectRatio: string | null
  day: string
}

const readShared = (body: unknown): SharedResult => {
  const from = fields(body, 'shared')
  return {
    model: str(from, 'model'),
    prompt: maybeStr(from, 'prompt'),
    output: readOutput(maybeFields(from, 'output')),
    aspectRatio: maybeStr(from, 'aspectRatio'),
    day: str(from, 'day'),
  }
}

/** A result that its owner shares. It needs no sign-in, shows nothing of a wallet, and asks search engines not to keep it. */
export default function Shared() {
  const app = useApp()
  const text = () => pageMessages.share
  const found = createValue(resultId, load)
  const modelName = (id: string): string => app.models()?.find((model) => model.id === id)?.name ?? id
  onMount(() => {
    const meta = document.head.appendChild(document.createElement('meta'))
    meta.name = 'robots'
    meta.content = 'noindex'
    onCleanup(() => meta.remove())
  })
  return (
    <section class="page page-result">
      <Title>{pageMessages.titles.of(text().pageTitle)}</Title>
      <h1>{text().pageTitle}</h1>
      <Switch fallback={<div class="skeleton skeleton-block" role="status" aria-label={messages.common.loading} />}>
        <Match when={found.failed()}>
          <p class="notice">{messages.errors.offline}</p>
        </Match>
        <Match when={found() === null}>
          <p class="notice">{text().gone}</p>
        </Match>
        <Match when={found()}>
          {(shared) => (
            <article class="result">
              <Output
                inference={{ id: resultId(), output: shared().output, metrics: { paymentTxHash: null } }}
                prompt={shared().prompt ?? ''}
                ratio={shared().aspectRatio}
              />
              <Show when={shared().prompt}>
                {(prompt) => (
                  <p class="result-prompt" dir="auto">
                    {prompt()}
                  </p>
                )}
              </Show>
              <p>{text().by(modelName(shared().model), formatDate(shared().day))}</p>
            </article>
          )}
        </Match>
      </Switch>
      <Show when={found() !== undefined || found.failed()}>
        <p class="actions">
          <a class="button" href={at('/')}>
            {text().own}
          </a>
          <a href={at('/contact')} rel="external">
            {text().report}
          </a>
        </p>
      </Show>
    </section>
  )
}

/** Null if it is not shared, or no longer. */
async function load(id: string): Promise<SharedResult | null> {
  try {
    return await getJson(`/api/shares/${encodeURIComponent(id)}`, readShared)
  } catch (error) {
    if (error instanceof ProblemError && error.problem.code === 'not_found') return null
    throw error
  }
}
