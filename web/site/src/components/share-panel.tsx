import { ProblemError } from '@coinslot/client/problem'
import { createSignal, Show } from 'solid-js'
import { CopyButton } from '../../../shared/copy-button.tsx'
import { fields, flag, str } from '../../../shared/shape.ts'
import { getJson, service } from '../lib/api.ts'
import { pageMessages, purchaseMessages } from '../messages/active.ts'
import { at } from '../messages/load.ts'
import { createValue } from '../primitives/create-value.ts'

interface Share {
  id: string
  showsPrompt: boolean
}

const readShare = (body: unknown): Share => {
  const from = fields(body, 'share')
  return { id: str(from, 'id'), showsPrompt: flag(from, 'showsPrompt') }
}

const pathOf = (id: string): string => `/api/inference/${encodeURIComponent(id)}/share`

/** Shares a result by a public link, if its owner chooses to, and takes it back. */
export function SharePanel(props: { id: string }) {
  const text = () => pageMessages.share
  const [notice, setNotice] = createSignal('')
  const [showsPrompt, setShowsPrompt] = createSignal(false)
  const share = createValue(() => props.id, load)

  async function change(method: 'PUT' | 'DELETE'): Promise<void> {
    const body = method === 'PUT' ? { body: JSON.stringify({ showsPrompt: showsPrompt() }) } : {}
    const isDone = await service()
      .call(pathOf(props.id), { method, ...body })
      .then(
        ({ ok }) => ok,
        () => false,
      )
    setNotice(isDone ? (method === 'PUT' ? '' : text().done) : text().failed)
    share.reload()
  }
  return (
    <section class="share">
      <h2>{text().title}</h2>
      <p>{text().intro}</p>
      <Show
        when={share()}
        fallback={
          <div class="actions">
            <label>
              <input
                type="checkbox"
                checked={showsPrompt()}
                onChange={(event) => setShowsPrompt(event.currentTarget.checked)}
              />{' '}
              {text().prompt}
            </label>
            <button type="button" class="button button-quiet" onClick={() => void change('PUT')}>
              {text().create}
            </button>
          </div>
        }
      >
        {(shared) => <Shared id={shared().id} onTakeBack={() => void change('DELETE')} />}
      </Show>
      <p role="status">{notice()}</p>
    </section>
  )
}

function Shared(props: { id: string; onTakeBack(): void }) {
  const text = () => pageMessages.share
  const link = (): string => new URL(at(`/s/${props.id}`), location.href).href
  // A person who closes the sheet of the system has not failed.
  const send = (): void => void navigator.share({ url: link() }).catch(() => undefined)
  return (
    <>
      <p class="hash">
        <a href={link()} target="_blank" rel="noreferrer">
          {link()}
        </a>
      </p>
      <div class="actions">
        <Show when={'share' in navigator}>
          <button type="button" class="button button-quiet" onClick={send}>
            {text().send}
          </button>
        </Show>
        <CopyButton text={link()} what={text().title} button={purchaseMessages.result.copyLink} />
        <button type="button" class="button button-quiet" onClick={() => props.onTakeBack()}>
          {text().stop}
        </button>
      </div>
    </>
  )
}

/** The share of an inference; null if it is not shared. */
async function load(id: string): Promise<Share | null> {
  try {
    return await getJson(pathOf(id), readShare)
  } catch (error) {
    if (error instanceof ProblemError && error.problem.code === 'not_found') return null
    throw error
  }
}
