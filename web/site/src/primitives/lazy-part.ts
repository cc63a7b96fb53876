import { type Component, createComponent, type JSX, lazy } from 'solid-js'

/** A component whose code is loaded when it is first shown, or earlier by `preload`. */
export type LazyComponent<Props extends object> = Component<Props> & { preload(): void }

/**
 * Like Solid's `lazy`, but a load that failed is started again when the component is shown again. `loadWords` loads the texts that
 * the component shows, beside its code.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: Component<Props> }>,
  loadWords?: () => Promise<unknown>,
): LazyComponent<Props> {
  let loading: Promise<{ default: Component<Props> }> | undefined
  let loaded: Component<Props> | undefined
  const start = async (): Promise<{ default: Component<Props> }> => {
    loading ??= Promise.all([load(), loadWords?.()]).then(([module]) => module)
    try {
      const module = await loading
      loaded = module.default
      return module
    } catch (error) {
      loading = undefined
      throw error
    }
  }
  const Part = (props: Props): JSX.Element => createComponent(loaded ?? lazy(start), props)
  // A failure is shown when the component is.
  return Object.assign(Part, { preload: () => void start().catch(() => undefined) })
}
