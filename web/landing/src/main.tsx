import '../../src/styles/tokens.css'
import '../../src/styles/base.css'
import '../../src/styles/controls.css'
import '../../src/styles/shell.css'
import '../../src/styles/pages.css'
import '../../src/styles/figures.css'
import './styles/landing.css'
import { render } from 'solid-js/web'
import { useMessages } from '../../src/messages/active.ts'
import { messages } from '../../src/messages/en.ts'
import { App } from './app.tsx'
import { loadConfig } from './config.ts'

const root = document.getElementById('app')
if (root !== null) {
  useMessages({ messages })
  // The demo wallet's name is among the texts of a purchase. Written out, so that the production build drops them.
  if (import.meta.env.NEXT_PUBLIC_ENABLE_DEV_CHAIN === 'true')
    useMessages(await import('../../src/messages/en-purchase.ts'))
  const config = await loadConfig().catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  )
  root.textContent = ''
  render(() => <App config={config} />, root)
}
