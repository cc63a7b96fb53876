import { createSignal } from 'solid-js'
import { keepSetting, siteStorage } from './storage.ts'
import { shared } from './texts.ts'

const KEY = 'coinslot.theme'
const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

function keptTheme(): Theme {
  const kept = siteStorage().getItem(KEY)
  return THEMES.find((theme) => theme === kept) ?? 'system'
}

function apply(theme: Theme): void {
  keepSetting(KEY, theme === 'system' ? null : theme)
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** One button that switches between the system's colours, light and dark. */
export function ThemeToggle() {
  const [theme, setTheme] = createSignal(keptTheme())
  const change = (): void => {
    const next = THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length] ?? 'system'
    apply(next)
    setTheme(next)
  }
  return (
    <button
      type="button"
      class="icon-button"
      onClick={change}
      aria-label={`${shared.theme.label}: ${shared.theme[theme()]}`}
      title={`${shared.theme.label}: ${shared.theme[theme()]}`}
    >
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" class={`theme-icon theme-${theme()}`}>
        <circle cx="12" cy="12" r="8" />
        <path class="theme-half" d="M12 4a8 8 0 0 1 0 16Z" />
        <circle class="theme-full" cx="12" cy="12" r="8" />
      </svg>
    </button>
  )
}
