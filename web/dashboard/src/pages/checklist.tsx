import { Show } from 'solid-js'
import type { CheckResult } from '../../../../contracts/checks/launch-checks.ts'
import { useDashboard } from '../create-dashboard.ts'
import { checkName, moment } from '../format.ts'
import { pageMessages } from '../messages.ts'
import { DataTable } from '../parts/data-table.tsx'

const words = () => pageMessages.checklist
const MARKS = { green: '✓', red: '✗', unknown: '?' } as const
const COMMAND = 'npm run presale:check -- --network base --rpc-url …'

/** The launch checklist. A check that was not shown is never green. */
export function Checklist() {
  const { checks, isChecking, checkedAt, checkAgain, config } = useDashboard()
  const count = (status: CheckResult['status']): number =>
    (checks() ?? []).filter((result) => result.status === status).length
  return (
    <>
      <h1>{words().title}</h1>
      <p class="lead">{words().lead}</p>
      <Show when={config.plan === null}>
        <p class="notice">{words().noPlan}</p>
      </Show>
      <p class="checks-summary" role="status">
        <strong>
          {checks() === null ? words().notYet : words().summary(count('green'), count('red'), count('unknown'))}
        </strong>
        <Show when={checkedAt() > 0}>
          <span class="as-of">{words().checkedAt(moment(checkedAt() / 1_000))}</span>
        </Show>
        <button type="button" class="button button-quiet" onClick={checkAgain} aria-disabled={isChecking()}>
          {isChecking() ? words().checking : words().again}
        </button>
      </p>
      <Show when={checks()}>
        {(results) => (
          <DataTable<CheckResult>
            label={words().title}
            rows={results()}
            columns={[
              { heading: words().check, cell: ({ check }) => checkName(check) },
              { heading: words().result, isText: true, cell: ({ status }) => <Result status={status} /> },
              { heading: words().detail, isText: true, cell: ({ detail }) => <Finding detail={detail} /> },
            ]}
          />
        )}
      </Show>
      <p class="as-of">{words().command}</p>
      <p>
        <code>{COMMAND}</code>
      </p>
    </>
  )
}

/** In the page's language where the finding is a common one; what is wrong is said in English. */
function Finding(props: { detail: string }) {
  const known = () => Object.entries(words().findings).find(([english]) => english === props.detail)?.[1]
  return (
    <Show
      when={known()}
      fallback={
        <bdi lang="en" class="check-detail">
          {props.detail}
        </bdi>
      }
    >
      {(text) => <span class="check-detail">{text()}</span>}
    </Show>
  )
}

function Result(props: { status: CheckResult['status'] }) {
  return (
    <span class={`check check-${props.status}`}>
      <span aria-hidden="true">{MARKS[props.status]}</span> {words().status[props.status]}
    </span>
  )
}
