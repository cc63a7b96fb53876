import { createResource, For, Match, Show, Switch } from 'solid-js'
import { CopyButton } from '../components/copy-button.tsx'
import { Title } from '../components/title.tsx'
import problems from '../generated/problems.json'
import { getJson } from '../lib/api.ts'
import { type Fields, fields, isFields, maybeStr } from '../lib/shape.ts'
import { words } from '../words/en.ts'
import { curlExample, fetchExample } from '../words/examples.ts'

/** How a program uses the service: the flow, two examples, every call, every problem. */
export default function Docs() {
  return (
    <section class="page page-text">
      <Title>{words.titles.docs}</Title>
      <h1>{words.docs.title}</h1>
      <p class="lead">{words.docs.intro}</p>
      <h2>{words.docs.flowTitle}</h2>
      <ol class="flow">
        <For each={words.docs.flow}>{(line) => <li>{line}</li>}</For>
      </ol>
      <h2>{words.docs.curlTitle}</h2>
      <Code text={curlExample(location.origin)} name={words.docs.curlTitle} />
      <h2>{words.docs.fetchTitle}</h2>
      <Code text={fetchExample(location.origin)} name={words.docs.fetchTitle} />
      <h2>{words.docs.callsTitle}</h2>
      <p>
        {words.docs.callsIntro}{' '}
        <a href="/api/openapi.json" rel="external">
          {words.docs.openapi}
        </a>
      </p>
      <Calls />
      <h2 id="problems">{words.docs.problemsTitle}</h2>
      <p>{words.docs.problemsIntro}</p>
      <Problems />
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
  const [calls] = createResource(() => getJson('/api/openapi.json', readCalls))
  return (
    <Switch fallback={<div class="skeleton skeleton-block" role="status" aria-label={words.common.loading} />}>
      <Match when={calls.error}>
        <p class="notice">{words.docs.callsFailed}</p>
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

function Problems() {
  return (
    <section class="table-frame" tabindex="0" aria-label={words.docs.problemsTitle}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.docs.status}</th>
            <th scope="col">{words.docs.code}</th>
            <th scope="col">{words.docs.meaning}</th>
          </tr>
        </thead>
        <tbody>
          <For each={problems}>
            {(problem) => (
              <tr>
                <td>{problem.status}</td>
                <th scope="row">
                  <a href={`/problems/${problem.code}`} rel="external">
                    {problem.code}
                  </a>
                </th>
                <td>{problem.title}</td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </section>
  )
}
