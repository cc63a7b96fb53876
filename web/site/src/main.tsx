import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/shell.css'
import './styles/studio.css'
import './styles/composer.css'
import './styles/result-panel.css'
import './styles/payment-dialog.css'
import './styles/result.css'
import './styles/pages.css'
import './styles/figures.css'
import './styles/reference.css'
import './styles/narrow.css'
import { createRoot } from 'solid-js'
import { render } from 'solid-js/web'
import { nextTask } from '../../shared/task-queue.ts'
import { keepTranslatedTexts } from '../../shared/translated-texts.ts'
import { loadMessages } from './messages/load.ts'
import { AppProvider, createApp } from './primitives/app-context.tsx'
import { Site } from './site.tsx'

const root = document.getElementById('app')
if (root !== null) {
  // One long task would block the page. So the code is compiled in one task, the first requests start in the next, then the page is built.
  await loadMessages()
  await nextTask()
  const app = createRoot(createApp)
  await nextTask()
  root.textContent = ''
  keepTranslatedTexts(root)
  render(
    () => (
      <AppProvider app={app}>
        <Site />
      </AppProvider>
    ),
    root,
  )
}
