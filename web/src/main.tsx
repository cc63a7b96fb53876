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
import { createRoot } from 'solid-js'
import { render } from 'solid-js/web'
import { AppProvider, createApp } from './primitives/app-context.tsx'
import { nextTask } from './primitives/task-queue.ts'
import { Site } from './site.tsx'

const root = document.getElementById('app')
if (root !== null) {
  // One long task would hold the page: the code is compiled in one, the first requests leave in the next, then the page is built.
  await nextTask()
  const app = createRoot(createApp)
  await nextTask()
  // The static shell of index.html has done its work.
  root.textContent = ''
  render(
    () => (
      <AppProvider app={app}>
        <Site />
      </AppProvider>
    ),
    root,
  )
}
