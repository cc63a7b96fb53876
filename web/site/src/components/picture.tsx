import { createSignal, onCleanup, Show } from 'solid-js'
import { CopyButton } from '../../../shared/copy-button.tsx'
import { copyPicture, safeUrl, saveFile } from '../../../shared/files.ts'
import { catchBackButton } from '../lib/back-button.ts'
import { messages, purchaseMessages } from '../messages/active.ts'

interface Props {
  url: string
  prompt: string
  id: string
  /** Width to height, `16:9`, as the model was asked for it. Without one the place is square. */
  ratio: unknown
}

/** One picture: a click shows it in full size; below are download and copy. Its place has its size before it is loaded. */
export function Picture(props: Props) {
  const href = (): string | null => safeUrl(props.url)
  const [state, setState] = createSignal<'loading' | 'loaded' | 'lost'>('loading')
  let zoom: HTMLDialogElement | undefined
  let release = (): void => undefined
  onCleanup(() => release())

  const enlarge = (): void => {
    zoom?.showModal()
    release = catchBackButton(() => zoom?.close())
  }
  return (
    <Show when={href()} fallback={<p class="notice">{purchaseMessages.result.badLink}</p>}>
      {(url) => (
        <figure class="picture" style={{ '--ratio': cssRatio(props.ratio) }}>
          <Show when={state() !== 'lost'} fallback={<Lost url={url()} onRetry={() => setState('loading')} />}>
            <button type="button" class="picture-frame" onClick={enlarge} aria-label={purchaseMessages.result.zoom}>
              <span class="picture-place" classList={{ skeleton: state() === 'loading' }}>
                <img
                  src={url()}
                  alt={purchaseMessages.result.alt(props.prompt)}
                  classList={{ 'picture-loaded': state() === 'loaded' }}
                  onLoad={() => setState('loaded')}
                  onError={() => setState('lost')}
                  decoding="async"
                />
              </span>
            </button>
          </Show>
          <Actions url={url()} id={props.id} />
          <dialog ref={zoom} class="zoom" aria-label={purchaseMessages.result.zoom} onClose={() => release()}>
            <form method="dialog">
              <button type="submit" aria-label={messages.common.close}>
                <img src={url()} alt={purchaseMessages.result.alt(props.prompt)} />
              </button>
            </form>
          </dialog>
        </figure>
      )}
    </Show>
  )
}

/** Download and copy. */
function Actions(props: { url: string; id: string }) {
  return (
    <figcaption class="frame-actions">
      <a
        class="copy-button"
        href={props.url}
        target="_blank"
        rel="noreferrer"
        onClick={(event) => void download(event, props.url, props.id)}
      >
        {purchaseMessages.result.download}
      </a>
      <CopyButton
        text={props.url}
        what={purchaseMessages.result.copyPicture}
        label={purchaseMessages.result.copyPicture}
        copy={() => copyPicture(props.url)}
      />
      <CopyButton text={props.url} what={purchaseMessages.result.copyLink} label={purchaseMessages.result.copyLink} />
    </figcaption>
  )
}

/** `16 / 9` for `16:9`, and a square for anything else. */
const cssRatio = (ratio: unknown): string => /^(\d+):(\d+)$/.exec(String(ratio))?.slice(1).join(' / ') ?? '1'

/** In the place of a picture that could not be loaded: its address, and another try. */
function Lost(props: { url: string; onRetry(): void }) {
  return (
    <div class="picture-frame picture-lost" role="alert">
      <div class="picture-place">
        <p>
          {purchaseMessages.result.lost}{' '}
          <button type="button" class="link" onClick={() => props.onRetry()}>
            {messages.common.retry}
          </button>
        </p>
        <p>
          <a href={props.url} target="_blank" rel="noreferrer">
            {props.url}
          </a>
        </p>
      </div>
    </div>
  )
}

/** Saves the file under a readable name. If its server does not allow that, the file opens in a new tab. */
export async function download(event: MouseEvent, url: string, id: string): Promise<void> {
  event.preventDefault()
  const extension = /\.([a-z0-9]{2,4})$/i.exec(new URL(url).pathname)?.[1] ?? 'bin'
  if (!(await saveFile(url, `coinslot-${id.slice(0, 8)}.${extension}`))) window.open(url, '_blank', 'noreferrer')
}
