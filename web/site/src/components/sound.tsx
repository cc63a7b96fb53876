import { Show } from 'solid-js'
import { CopyButton } from '../../../shared/copy-button.tsx'
import { safeUrl } from '../../../shared/files.ts'
import { purchaseMessages } from '../messages/active.ts'
import { Identicon } from './identicon.tsx'
import { download } from './picture.tsx'

/** A sound: its identicon, the browser's player and a download link. */
export function Sound(props: { url: string; seed: string; id: string }) {
  return (
    <Show when={safeUrl(props.url)} fallback={<p class="notice">{purchaseMessages.result.badLink}</p>}>
      {(url) => (
        <figure class="sound">
          <Identicon seed={props.seed} lines={5} />
          {/* biome-ignore lint/a11y/useMediaCaption: the audio reads the prompt shown below. */}
          <audio controls preload="metadata" src={url()} />
          <figcaption class="frame-actions">
            <a
              class="copy-button"
              href={url()}
              target="_blank"
              rel="noreferrer"
              onClick={(event) => void download(event, url(), props.id)}
            >
              {purchaseMessages.result.download}
            </a>
            <CopyButton text={url()} what={purchaseMessages.result.copyLink} label={purchaseMessages.result.copyLink} />
          </figcaption>
        </figure>
      )}
    </Show>
  )
}
