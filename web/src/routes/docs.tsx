import { For, Match, Show, Switch } from 'solid-js'
import { CopyButton } from '../components/copy-button.tsx'
import { Title } from '../components/shell.tsx'
import { getJson } from '../lib/api.ts'
import { type Fields, fields, isFields, maybeStr } from '../lib/shape.ts'
import { messages } from '../messages/en.ts'
import { pageMessages } from '../messages/en-pages.ts'
import { curlExample, fetchExample } from '../messages/examples.ts'
import { createValue } from '../primitives/create-value.ts'

/** How a program uses the service: the flow, two examples, all endpoints, the errors. */
export default function Docs() {
  return (
    <section class="page page-text">
      <Title>{pageMessages.titles.docs}</Title>
      <h1>{pageMessages.docs.title}</h1>
      <p class="lead">{pageMessages.docs.intro}</p>
      <h2>{pageMessages.docs.flowTitle}</h2>
      <ol class="flow">
        <For each={pageMessages.docs.flow}>{(line) => <li>{line}</li>}</For>
      </ol>
      <h2>{pageMessages.docs.curlTitle}</h2>
      <Code text={curlExample(location.origin)} name={pageMessages.docs.curlTitle} />
      <h2>{pageMessages.docs.fetchTitle}</h2>
      <Code text={fetchExample(location.origin)} name={pageMessages.docs.fetchTitle} />
      <h2>{pageMessages.docs.callsTitle}</h2>
      <p>
        {pageMessages.docs.callsIntro}{' '}
        <a href="/api/openapi.json" rel="external">
          {pageMessages.docs.openapi}
        </a>
      </p>
      <Calls />
      <h2 id="problems">{pageMessages.docs.problemsTitle}</h2>
      <p>
        {pageMessages.docs.problemsIntro}{' '}
        <a href="/problems" rel="external">
          {pageMessages.problems.all}
        </a>
      </p>
    </section>
  )
}

function Code(props: { text: string; name: string }) {
  return (
    <div class="code">
      <section tabindex="0" aria-label={props.name}>
        <pre>
          <code>{props.text}</code>
        </pre>
      </section>
      <CopyButton text={props.text} what={props.name} />
    </div>
  )
}

interface Call {
  method: string
  path: string
  summary: string
}

function readCalls(body: unknown): Call[] {
  const paths = fields(fields(body)['paths'], 'paths')
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(isFields(item) ? item : {})
      .filter((entry): entry is [string, Fields] => isFields(entry[1]) && /^(get|post|put|delete|head)$/.test(entry[0]))
      .map(([method, call]) => ({
        method: method.toUpperCase(),
        path,
        summary: maybeStr(call, 'summary') ?? maybeStr(call, 'description') ?? '',
      })),
  )
}

function Calls() {
  const calls = createValue(
    () => true,
    () => getJson('/api/openapi.json', readCalls),
  )
  return (
    <Switch fallback={<div class="skeleton skeleton-block" role="status" aria-label={messages.common.loading} />}>
      <Match when={calls.failed()}>
        <p class="notice">{pageMessages.docs.callsFailed}</p>
      </Match>
      <Match when={calls()}>
        {(found) => (
          <ul class="calls">
            <For each={found()}>
              {(call) => (
                <li>
                  <code>
                    <b>{call.method}</b> {call.path}
                  </code>
                  <Show when={call.summary !== ''}>
                    <span>{call.summary}</span>
                  </Show>
                </li>
              )}
            </For>
          </ul>
        )}
      </Match>
    </Switch>
  )
}
