import { For, Show } from 'solid-js'
import { approximatePrice } from '../../../shared/money.ts'
import { formatSeconds } from '../../../shared/time.ts'
import items from '../generated/gallery.json'
import { studioLink } from '../lib/studio-link.ts'
import { messages } from '../messages/active.ts'
import { at } from '../messages/load.ts'
import { Identicon } from './identicon.tsx'

/** Results of the product's own engines. A click fills the form with the prompt. */
export default function Gallery() {
  return (
    <section class="made" aria-label={messages.studio.made}>
      <p>
        <strong>{messages.studio.made}</strong> {messages.studio.madeBy}
      </p>
      <ul>
        <For each={items}>
          {(item) => (
            <li>
              <a class="made-link" href={at(studioLink(item.model, { prompt: item.prompt }))}>
                <Show
                  when={item.file}
                  fallback={
                    <span class="made-face made-text" aria-hidden="true" dir="auto">
                      <Show when={item.sound} fallback={item.text}>
                        <Identicon seed={item.prompt} lines={5} />
                      </Show>
                    </span>
                  }
                >
                  {(file) => (
                    <img
                      class="made-face"
                      src={file()}
                      alt=""
                      width="512"
                      height="512"
                      loading="lazy"
                      decoding="async"
                    />
                  )}
                </Show>
                <span class="made-prompt" dir="auto">
                  {item.prompt}
                </span>
                <small class="figures">
                  {approximatePrice(item.usdc)} · {formatSeconds(item.seconds)}
                </small>
              </a>
              <Show when={item.sound}>
                {(sound) => (
                  // biome-ignore lint/a11y/useMediaCaption: the audio reads the prompt shown above.
                  <audio controls preload="none" src={sound()} aria-label={item.prompt} />
                )}
              </Show>
            </li>
          )}
        </For>
      </ul>
    </section>
  )
}
