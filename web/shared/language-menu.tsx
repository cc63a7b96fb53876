import { For } from 'solid-js'
import { LANGUAGE_NAMES } from './language-names.ts'
import { LANGUAGES, type Language } from './languages.ts'
import { keepSetting } from './storage.ts'
import { shared } from './texts.ts'

/** index.html reads it when the start page is opened from elsewhere. */
const KEY = 'coinslot.language'

/** A menu with this page in each language (a native popover). A choice is kept; each is a plain link that loads the page again. */
export default function LanguageMenu(props: { hrefIn(language: Language): string }) {
  const active = LANGUAGES.find(({ tag }) => tag === shared.tag) ?? LANGUAGES[0]
  return (
    <>
      <button
        type="button"
        class="icon-button"
        popovertarget="language-menu"
        aria-label={`${shared.language}: ${LANGUAGE_NAMES[active.tag]}`}
        title={`${shared.language}: ${LANGUAGE_NAMES[active.tag]}`}
      >
        <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" class="language-icon">
          <circle cx="12" cy="12" r="8" />
          <path d="M4 12h16M12 4c-6 5-6 11 0 16 6-5 6-11 0-16" />
        </svg>
      </button>
      <nav id="language-menu" class="menu" popover aria-label={shared.language}>
        <For each={LANGUAGES}>
          {(language) => (
            <a
              href={props.hrefIn(language)}
              rel="external"
              lang={language.tag}
              hreflang={language.tag}
              aria-current={language === active ? 'true' : undefined}
              onClick={() => keepSetting(KEY, language.tag)}
            >
              {LANGUAGE_NAMES[language.tag]}
            </a>
          )}
        </For>
      </nav>
    </>
  )
}
