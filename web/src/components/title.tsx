import { createEffect } from 'solid-js'

/** Sets the document's title while its page is shown. */
export function Title(props: { children: string }) {
  createEffect(() => {
    document.title = props.children
  })
  return null
}
