import { Dynamic } from 'solid-js/web'
import { Shell } from './components/shell.tsx'
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
  const current = createRouter(
    PAGES,
    page(() => import('./routes/not-found.tsx')),
  )
  return (
    <Shell>
      <Dynamic component={current()} />
    </Shell>
  )
}
