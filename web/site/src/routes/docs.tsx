import { For, Match, Show, Switch } from 'solid-js'
import { CopyButton } from '../../../shared/copy-button.tsx'
import { type Fields, fields, isFields, maybeStr } from '../../../shared/shape.ts'
import { Title } from '../components/shell.tsx'
import { getJson } from '../lib/api.ts'
import { messages, pageMessages } from '../messages/active.ts'
import { docsMessages } from '../messages/en-docs.ts'
import { curlExample, fetchExample } from '../messages/examples.ts'
import { createValue } from '../primitives/create-value.ts'

/** How a program uses the service: the flow, two examples, all endpoints, the errors. */
export default function Docs() {
  return (
    <section class="page page-text">
      <Title>{pageMessages.titles.docs}</Title>
      <Show when={pageMessages.docs.language}>{(note) => <p class="notice">{note()}</p>}</Show>
      <EnglishDocs />
    </section>
  )
}

function EnglishDocs() {
  return (
    <div class="page-part" lang="en" dir="ltr">
      <h1>{docsMessages.title}</h1>
      <p class="lead">{docsMessages.intro}</p>
      <h2>{docsMessages.flowTitle}</h2>
      <ol class="flow">
        <For each={docsMessages.flow}>{(line) => <li>{line}</li>}</For>
      </ol>
      <h2>{docsMessages.curlTitle}</h2>
      <Code text={curlExample(location.origin)} name={docsMessages.curlTitle} />
      <h2>{docsMessages.fetchTitle}</h2>
      <Code text={fetchExample(location.origin)} name={docsMessages.fetchTitle} />
      <h2>{docsMessages.callsTitle}</h2>
      <p>
        {docsMessages.callsIntro}{' '}
        <a href="/api/openapi.json" rel="external">
          {docsMessages.openapi}
        </a>
      </p>
      <Calls />
      <h2 id="problems">{docsMessages.problemsTitle}</h2>
      <p>
        {docsMessages.problemsIntro}{' '}
        <a href="/problems" rel="external">
          {docsMessages.problems.all}
        </a>
      </p>
    </div>
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
        <p class="notice">{docsMessages.callsFailed}</p>
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
