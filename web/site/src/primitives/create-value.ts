import { type Accessor, createEffect, createMemo, createSignal, on } from 'solid-js'

export interface Loaded<Value> {
  /** The last value. Undefined before the first, and while the source is null. */
  (): Value | undefined
  /** True after a failed load, until the next one succeeds. */
  failed(): boolean
  reload(): void
}

/**
 * A value that is loaded again whenever `source` changes, and not while it is null. Unlike a resource it never suspends: the page
 * stays in the document, and a modal dialog stays modal, during a load.
 */
export function createValue<Source, Value>(
  source: Accessor<Source | null>,
  load: (source: Source) => Promise<Value>,
): Loaded<Value> {
  const [value, setValue] = createSignal<{ is: Value } | null>(null)
  const [failed, setFailed] = createSignal(false)
  let round = 0

  async function run(from: Source | null): Promise<void> {
    round += 1
    const mine = round
    if (from === null) {
      setValue(null)
      return
    }
    try {
      const is = await load(from)
      if (mine !== round) return
      setValue({ is })
      setFailed(false)
    } catch (cause) {
      if (mine !== round) return
      console.warn('coinslot: not loaded', cause instanceof Error ? cause.message : '')
      setFailed(true)
    }
  }

  // The memo ignores a source that has not changed.
  createEffect(on(createMemo(source), (from) => void run(from)))
  return Object.assign(() => value()?.is, { failed, reload: () => void run(source()) })
}
