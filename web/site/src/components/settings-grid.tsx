import { createUniqueId, For, type JSX, Match, Show, Switch } from 'solid-js'
import { countNear, type Field, randomSeed } from '../lib/json-schema.ts'
import { messages } from '../messages/active.ts'
import type { ComposerState } from '../primitives/create-composer.ts'
import { QUICK } from './settings.tsx'
import { TextLimit } from './text-limit.tsx'

/** The controls of a model's other inputs, from its JSON Schema. */
export default function SettingsGrid(props: { composer: ComposerState }) {
  return (
    <div class="settings-grid">
      <For each={props.composer.form()?.settings.filter(({ name }) => !QUICK.includes(name))}>
        {(field) => (
          <Control
            field={field}
            value={props.composer.values()[field.name]}
            onChange={(value) => props.composer.setValue(field.name, value)}
          />
        )}
      </For>
    </div>
  )
}

interface ControlProps {
  field: Field
  value: unknown
  onChange(value: unknown): void
}

function Control(props: ControlProps) {
  return (
    <Switch>
      <Match when={props.field.kind === 'choice' && props.field}>
        {(field) => (
          <Labelled field={field()}>
            {(id) => (
              <select id={id} onChange={(event) => props.onChange(event.currentTarget.value)}>
                <For each={field().values}>
                  {(value) => (
                    <option value={value} selected={value === (props.value ?? field().initial)}>
                      {value}
                    </option>
                  )}
                </For>
              </select>
            )}
          </Labelled>
        )}
      </Match>
      <Match when={props.field.kind === 'toggle' && props.field}>
        {(field) => (
          <label class="control control-toggle">
            <input
              type="checkbox"
              checked={props.value === undefined ? field().initial : props.value === true}
              onChange={(event) => props.onChange(event.currentTarget.checked)}
            />
            <span>{field().title}</span>
            <small>{field().help}</small>
          </label>
        )}
      </Match>
      <Match when={props.field.kind === 'seed' && props.field}>
        {(field) => <Seed field={field()} value={props.value} onChange={props.onChange} />}
      </Match>
      <Match when={props.field.kind === 'number' && props.field}>
        {(field) => <NumberControl field={field()} value={props.value} onChange={props.onChange} />}
      </Match>
      <Match when={props.field.kind === 'text' && props.field}>
        {(field) => (
          <Labelled field={field()}>
            {(id) => (
              <TextControl
                id={id}
                most={field().maxLength}
                value={typeof props.value === 'string' ? props.value : field().initial}
                onChange={props.onChange}
              />
            )}
          </Labelled>
        )}
      </Match>
    </Switch>
  )
}

function Labelled(props: { field: Field; aside?: string; children(id: string): JSX.Element }) {
  const id = createUniqueId()
  return (
    <div class="control">
      <label for={id}>
        {props.field.title}
        <Show when={props.aside !== undefined}>
          <output class="figures" for={id}>
            {props.aside}
          </output>
        </Show>
      </label>
      {props.children(id)}
      <small>{props.field.help}</small>
    </div>
  )
}

function TextControl(props: { id: string; most: number; value: string; onChange(value: string): void }) {
  return (
    <>
      <input
        id={props.id}
        type="text"
        dir="auto"
        value={props.value}
        onInput={(event) => props.onChange(event.currentTarget.value)}
        aria-invalid={countNear(props.value, props.most) > props.most}
        aria-describedby={`${props.id}-limit`}
      />
      <TextLimit id={`${props.id}-limit`} text={props.value} most={props.most} />
    </>
  )
}

function NumberControl(props: ControlProps & { field: Field & { kind: 'number' } }) {
  const value = (): string => String(props.value ?? props.field.initial ?? '')
  const bounded = (): boolean => props.field.min !== null && props.field.max !== null && props.field.initial !== null
  return (
    <Labelled field={props.field} {...(bounded() ? { aside: value() } : {})}>
      {(id) => (
        <input
          id={id}
          type={bounded() ? 'range' : 'number'}
          min={props.field.min ?? undefined}
          max={props.field.max ?? undefined}
          step={props.field.step}
          value={value()}
          onInput={(event) => props.onChange(event.currentTarget.value)}
        />
      )}
    </Labelled>
  )
}

function Seed(props: ControlProps & { field: Field & { kind: 'seed' } }) {
  const roll = (): void => props.onChange(randomSeed(props.field.max))
  return (
    <Labelled field={props.field}>
      {(id) => (
        <div class="seed">
          <input
            id={id}
            type="number"
            inputmode="numeric"
            min="0"
            max={props.field.max}
            step="1"
            placeholder={messages.studio.seedAny}
            value={props.value === undefined ? '' : String(props.value)}
            onInput={(event) =>
              props.onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)
            }
          />
          <button
            type="button"
            class="icon-button"
            onClick={roll}
            aria-label={messages.studio.seedRoll}
            title={messages.studio.seedRoll}
          >
            <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
              <rect
                x="2.5"
                y="2.5"
                width="15"
                height="15"
                rx="3"
                fill="none"
                stroke="currentColor"
                stroke-width="1.5"
              />
              <circle cx="7" cy="7" r="1.4" />
              <circle cx="13" cy="13" r="1.4" />
              <circle cx="10" cy="10" r="1.4" />
            </svg>
          </button>
        </div>
      )}
    </Labelled>
  )
}
