import { type Accessor, createEffect, createSignal, on } from 'solid-js'
import { getJson } from '../lib/api.ts'
import { type Inference, readInferencePage } from '../lib/records/inference.ts'

const PAGE = 24

/** The caller's inferences, page by page. Starts again when a filter or the version changes. */
export function createHistory(task: Accessor<string>, status: Accessor<string>, version: Accessor<number>) {
  const [items, setItems] = createSignal<Inference[]>([])
  const [loading, setLoading] = createSignal(false)
  const [failed, setFailed] = createSignal(false)
  const [ended, setEnded] = createSignal(false)
  let cursor: string | null = null
  let round = 0

  async function more(): Promise<void> {
    if (loading() || ended()) return
    const mine = round
    setLoading(true)
    setFailed(false)
    const query = new URLSearchParams({ limit: String(PAGE) })
    if (cursor !== null) query.set('cursor', cursor)
    if (task() !== '') query.set('task', task())
    if (status() !== '') query.set('status', status())
    const page = await getJson(`/api/inferences?${query}`, readInferencePage).catch(() => null)
    if (mine !== round) return
    setLoading(false)
    if (page === null) {
      setFailed(true)
      return
    }
    cursor = page.nextCursor
    setItems((before) => [...before, ...page.items])
    setEnded(page.nextCursor === null)
  }

  createEffect(
    on([task, status, version], () => {
      round += 1
      cursor = null
      setItems([])
      setEnded(false)
      setLoading(false)
      void more()
    }),
  )

  return { items, loading, failed, ended, more }
}
