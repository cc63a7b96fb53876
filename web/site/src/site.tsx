import { Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { Shell } from './components/shell.tsx'
import { useApp } from './primitives/app-context.tsx'
import { createRouter, page } from './primitives/router.ts'
import { Studio } from './routes/studio.tsx'

const PAGES = {
  '/': Studio,
  '/history': page(() => import('./routes/history.tsx')),
  '/i': page(() => import('./routes/result.tsx')),
  '/s': page(() => import('./routes/shared.tsx')),
  '/account': page(() => import('./routes/account.tsx')),
  '/stats': page(() => import('./routes/stats.tsx')),
  '/models': page(() => import('./routes/models.tsx')),
  '/receipt': page(() => import('./routes/receipt.tsx')),
  '/docs': page(() => import('./routes/docs.tsx')),
}

/** The whole site. The studio is part of the first page. The other pages are loaded when they are opened. */
export function Site() {
  const app = useApp()
  const current = createRouter(
    PAGES,
    page(() => import('./routes/not-found.tsx')),
  )
  return (
    <Shell>
      {/* When an account leaves, the page is built again, so that it keeps nothing of it. */}
      <Show when={app.left() + 1} keyed>
        {(_) => <Dynamic component={current()} />}
      </Show>
    </Shell>
  )
}
