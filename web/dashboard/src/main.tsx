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
import { keepTranslatedTexts } from '../../src/lib/translated-texts.ts'
import { App } from './app.tsx'
import { LANGUAGE, loadConfig } from './config.ts'
import { DICTIONARIES, useDictionary } from './messages/active.ts'

const root = document.getElementById('app')
if (root !== null) {
  const [config, dictionary] = await Promise.all([
    loadConfig().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error)))),
    DICTIONARIES[LANGUAGE.tag](),
  ])
  useDictionary(dictionary)
  root.textContent = ''
  keepTranslatedTexts(root)
  render(() => <App config={config} />, root)
}
