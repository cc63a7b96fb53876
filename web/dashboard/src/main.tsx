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
import { useMessages } from '../../src/messages/active.ts'
import { messages } from '../../src/messages/en.ts'
import { purchaseMessages } from '../../src/messages/en-purchase.ts'
import { App } from './app.tsx'
import { loadConfig } from './config.ts'

// The site's components that are used here have the site's texts.
useMessages({ messages, purchaseMessages })

const root = document.getElementById('app')
if (root !== null) {
  const config = await loadConfig().catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  )
  root.textContent = ''
  render(() => <App config={config} />, root)
}
