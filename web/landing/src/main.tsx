import '../../site/src/styles/tokens.css'
import '../../site/src/styles/base.css'
import '../../site/src/styles/controls.css'
import '../../site/src/styles/shell.css'
import '../../site/src/styles/pages.css'
import '../../site/src/styles/figures.css'
import './styles/landing.css'
import { render } from 'solid-js/web'
import { nextTask } from '../../shared/task-queue.ts'
import { keepTranslatedTexts } from '../../shared/translated-texts.ts'
import { App } from './app.tsx'
import { loadConfig, PLACE } from './config.ts'
import { DICTIONARIES, useDictionary } from './messages/active.ts'

const root = document.getElementById('app')
if (root !== null) {
  const [config, dictionary] = await Promise.all([
    loadConfig().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error)))),
    DICTIONARIES[PLACE.language.tag](),
  ])
  useDictionary(dictionary)
  // One long task would block the page: the code is compiled in one, the page built in the next.
  await nextTask()
  root.textContent = ''
  keepTranslatedTexts(root)
  render(() => <App config={config} />, root)
}
