import '../../site/src/styles/tokens.css'
import '../../site/src/styles/base.css'
import '../../site/src/styles/controls.css'
import '../../site/src/styles/shell.css'
import '../../site/src/styles/pages.css'
import '../../site/src/styles/figures.css'
import '../../site/src/styles/result.css'
import './styles/dashboard.css'
import './styles/charts.css'
import { render } from 'solid-js/web'
import { useShared } from '../../shared/texts.ts'
import { keepTranslatedTexts } from '../../shared/translated-texts.ts'
import { shared } from '../../shared/words/en.ts'
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
