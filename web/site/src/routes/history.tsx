import { createEffect, createSignal, createUniqueId, For, on, onCleanup, Show } from 'solid-js'
import { LazyPlace, NotLoaded } from '../components/lazy-place.tsx'
import { ResultCard } from '../components/result-card.tsx'
import { Title } from '../components/shell.tsx'
import { SignInNeeded } from '../components/sign-in-needed.tsx'
import { TextLimit } from '../components/text-limit.tsx'
import { countNear } from '../lib/json-schema.ts'
import { type Inference, promptOf } from '../lib/records/inference.ts'
import { TASKS } from '../lib/records/models.ts'
import { messages, pageMessages } from '../messages/active.ts'
import { at } from '../messages/load.ts'
import { useApp } from '../primitives/app-context.tsx'
import { createHistory } from '../primitives/create-history.ts'
import { lazyPart } from '../primitives/lazy-part.ts'

const Downloads = lazyPart(() => import('../components/downloads.tsx'))
const Spending = lazyPart(() => import('../components/spending.tsx'))

const STATUSES = ['pending', 'succeeded', 'failed'] as const

/** The results of this wallet, newest first. More are loaded on scrolling. */
export default function History() {
  const app = useApp()
  return (
    <section class="page page-wide">
      <Title>{pageMessages.titles.history}</Title>
      <h1>{pageMessages.history.title}</h1>
      <SignInNeeded>
        {/* Each wallet has its own list, so another wallet builds a new one. */}
        <Show when={app.identity.session()?.address} keyed>
          {(_) => <Gallery />}
        </Show>
      </SignInNeeded>
    </section>
  )
}

function Gallery() {
  const app = useApp()
  const [task, setTask] = createSignal('')
  const [status, setStatus] = createSignal('')
  const [words, setWords] = createSignal('')
  const history = createHistory(task, status, words, app.version)
  const choice = createChoice(history.items)
  const modelName = (id: string | null): string => app.models()?.find((model) => model.id === id)?.name ?? id ?? ''
  return (
    <>
      <div class="filters">
        <Search onSearch={setWords} />
        <Filter
          name="task"
          label={pageMessages.history.task}
          value={task()}
          onChange={setTask}
          options={TASKS.map((value) => [value, messages.tasks[value]])}
        />
        <Filter
          name="status"
          label={pageMessages.history.status}
          value={status()}
          onChange={setStatus}
          options={STATUSES.map((value) => [value, pageMessages.history.statuses[value]])}
        />
        <button type="button" class="button button-quiet filters-end" onClick={() => choice.start()}>
          {pageMessages.downloads.choose}
        </button>
        <a class="button button-quiet filters-csv" href="/api/inferences?format=csv" download="coinslot-payments.csv">
          {pageMessages.history.csv}
        </a>
      </div>
      <SpendingPart modelName={modelName} />
      <Show when={choice.isOpen()}>
        <LazyPlace>
          <Downloads chosen={choice.chosen()} onAll={choice.all} onClose={choice.stop} />
        </LazyPlace>
      </Show>
      <Cards history={history} choice={choice} modelName={modelName} />
      <Show when={history.failed()}>
        <NotLoaded text={pageMessages.history.failed} onRetry={() => void history.more()} />
      </Show>
      <Show when={history.ended() && history.items().length === 0}>
        <div class="empty">
          <Nothing isFiltered={words() !== '' || task() !== '' || status() !== ''} />
        </div>
      </Show>
      <Show when={!history.ended() && !history.failed()}>
        <More onMore={() => void history.more()} />
      </Show>
    </>
  )
}

/** The service searches for at most so many characters. */
const MOST_SEARCHED = 200

/** Searches for what was typed after a short pause, unless it is too long. */
function Search(props: { onSearch(words: string): void }) {
  const id = createUniqueId()
  const [typed, setTyped] = createSignal('')
  const later = createDelay((words) => props.onSearch(words))
  const isTooLong = (): boolean => countNear(typed(), MOST_SEARCHED) > MOST_SEARCHED
  const type = (text: string): void => {
    setTyped(text)
    if (!isTooLong()) later(text.trim())
  }
  return (
    <div class="filter filter-search">
      <label for={id}>{pageMessages.history.search}</label>
      <input
        id={id}
        type="search"
        name="q"
        onInput={(event) => type(event.currentTarget.value)}
        aria-invalid={isTooLong()}
        aria-describedby={`${id}-limit`}
      />
      <TextLimit id={`${id}-limit`} text={typed()} most={MOST_SEARCHED} />
    </div>
  )
}

interface CardsProps {
  history: ReturnType<typeof createHistory>
  choice: ReturnType<typeof createChoice>
  modelName(id: string | null): string
}

function Cards(props: CardsProps) {
  return (
    <div class="gallery" aria-busy={props.history.loading()}>
      <For each={props.history.items()}>
        {(inference) => (
          <div class="card-choice">
            <ResultCard inference={inference} modelName={props.modelName(inference.model)} />
            <Show when={props.choice.isOpen() && inference.output !== null}>
              <input
                type="checkbox"
                checked={props.choice.has(inference.id)}
                onChange={() => props.choice.toggle(inference.id)}
                aria-label={pageMessages.downloads.pick(promptOf(inference))}
              />
            </Show>
          </div>
        )}
      </For>
      <Show when={props.history.loading()}>
        <For each={[1, 2, 3]}>{() => <div class="skeleton skeleton-card" />}</For>
      </Show>
    </div>
  )
}

/** The results that are chosen to be saved. */
function createChoice(items: () => readonly Inference[]) {
  const [ids, setIds] = createSignal<ReadonlySet<string> | null>(null)
  const has = (id: string): boolean => ids()?.has(id) === true
  const all = (): void => void setIds(new Set(items().map(({ id }) => id)))
  const toggle = (id: string): void => {
    setIds((before) => {
      const next = new Set<string>(before ?? [])
      if (!next.delete(id)) next.add(id)
      return next
    })
  }
  const chosen = (): Inference[] => items().filter(({ id, output }) => has(id) && output !== null)
  return {
    isOpen: () => ids() !== null,
    has,
    toggle,
    all,
    chosen,
    start: () => setIds(new Set<string>()),
    stop: () => setIds(null),
  }
}

/** The sums are read when they are opened. */
function SpendingPart(props: { modelName(id: string): string }) {
  const [opened, setOpened] = createSignal(false)
  return (
    <details class="spending-part" onToggle={(event) => setOpened((before) => before || event.currentTarget.open)}>
      <summary>{pageMessages.spending.title}</summary>
      <Show when={opened()}>
        <LazyPlace>
          <Spending modelName={(id) => props.modelName(id)} />
        </LazyPlace>
      </Show>
    </details>
  )
}

function Nothing(props: { isFiltered: boolean }) {
  return (
    <Show when={!props.isFiltered} fallback={<h2>{pageMessages.history.noMatch}</h2>}>
      <h2>{pageMessages.history.empty}</h2>
      <p>{pageMessages.history.emptyHelp}</p>
      <a class="button" href={at('/')}>
        {pageMessages.history.emptyButton}
      </a>
    </Show>
  )
}

const PAUSE_MS = 300

/** Passes the last value on after a short pause. */
function createDelay(pass: (value: string) => void): (value: string) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  onCleanup(() => clearTimeout(timer))
  return (value) => {
    clearTimeout(timer)
    timer = setTimeout(() => pass(value), PAUSE_MS)
  }
}

interface FilterProps {
  name: string
  label: string
  value: string
  options: (readonly [string, string])[]
  onChange(value: string): void
}

function Filter(props: FilterProps) {
  return (
    <label class="filter">
      <span>{props.label}</span>
      <select name={props.name} onChange={(event) => props.onChange(event.currentTarget.value)}>
        <option value="">{pageMessages.history.all}</option>
        <For each={props.options}>
          {([value, label]) => (
            <option value={value} selected={value === props.value}>
              {label}
            </option>
          )}
        </For>
      </select>
    </label>
  )
}

/** Loads the next page when it comes near the view. It is also a button. */
function More(props: { onMore(): void }) {
  const [button, setButton] = createSignal<HTMLButtonElement>()
  createEffect(
    on(button, (element) => {
      if (element === undefined) return
      const observer = new IntersectionObserver(
        (entries) => {
          if (entries.some((entry) => entry.isIntersecting)) props.onMore()
        },
        { rootMargin: '600px' },
      )
      observer.observe(element)
      onCleanup(() => observer.disconnect())
    }),
  )
  return (
    <p class="more">
      <button type="button" ref={setButton} class="button button-quiet" onClick={() => props.onMore()}>
        {pageMessages.history.more}
      </button>
    </p>
  )
}
