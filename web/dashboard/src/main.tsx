import '../../src/styles/tokens.css'
import '../../src/styles/base.css'
import '../../src/styles/controls.css'
import '../../src/styles/shell.css'
import '../../src/styles/pages.css'
import '../../src/styles/figures.css'
import '../../src/styles/result.css'
import './styles/dashboard.css'
import './styles/charts.css'
import { render } from 'solid-js/web'
import { useShared } from '../../shared/texts.ts'
import { shared } from '../../shared/words/en.ts'
import { keepTranslatedTexts } from '../../src/lib/translated-texts.ts'
import { App } from './app.tsx'
import { loadConfig } from './config.ts'

const root = document.getElementById('app')
if (root !== null) {
  useShared(shared)
  const config = await loadConfig().catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  )
  root.textContent = ''
  keepTranslatedTexts(root)
  render(() => <App config={config} />, root)
}
