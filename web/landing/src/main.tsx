import '../../src/styles/tokens.css'
import '../../src/styles/base.css'
import '../../src/styles/controls.css'
import '../../src/styles/shell.css'
import '../../src/styles/pages.css'
import '../../src/styles/figures.css'
import './styles/landing.css'
import { render } from 'solid-js/web'
import { keepTranslatedTexts } from '../../src/lib/translated-texts.ts'
import { nextTask } from '../../src/primitives/task-queue.ts'
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
