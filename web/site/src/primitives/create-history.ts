import { type Accessor, createEffect, createSignal, on, onCleanup } from 'solid-js'
import { getJson } from '../lib/api.ts'
import { type Inference, readInference, readInferencePage } from '../lib/records/inference.ts'

const PAGE = 24
const POLL_MS = 2500

/** The caller's inferences, page by page. Starts again when a filter or the version changes. */
export function createHistory(
  task: Accessor<string>,
  status: Accessor<string>,
  words: Accessor<string>,
  version: Accessor<number>,
) {
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
    if (words() !== '') query.set('q', words())
    const page = await getJson(`/api/inferences?${query}`, readInferencePage).catch(() => null)
    if (mine !== round) return
    setLoading(false)
    if (page === null) {
      setFailed(true)
      return
    }
    cursor = page.nextCursor
    setItems((before) => pendingFirst([...before, ...page.items]))
    setEnded(page.nextCursor === null)
  }

  createEffect(
    on([task, status, words, version], () => {
      round += 1
      cursor = null
      setItems([])
      setEnded(false)
      setLoading(false)
      void more()
    }),
  )

  renewPending(items, () => {
    const mine = round
    return (renewed) => {
      if (mine === round) setItems(pendingFirst(renewed))
    }
  })

  return { items, loading, failed, ended, more }
}

/** While a run is pending, its record is read again. `start` returns where the new list goes. */
function renewPending(items: Accessor<Inference[]>, start: () => (renewed: Inference[]) => void): void {
  createEffect(() => {
    const now = items()
    if (!now.some(isPending)) return
    const finish = start()
    const timer = setTimeout(() => {
      void Promise.all(now.map((item) => (isPending(item) ? readAgain(item) : item))).then(finish)
    }, POLL_MS)
    onCleanup(() => clearTimeout(timer))
  })
}

const isPending = ({ status }: Inference): boolean => status === 'pending'

const pendingFirst = (items: Inference[]): Inference[] => [
  ...items.filter(isPending),
  ...items.filter((item) => !isPending(item)),
]

/** The item as it is now. The same item if it cannot be read. */
const readAgain = (item: Inference): Promise<Inference> =>
  getJson(`/api/inference/${encodeURIComponent(item.id)}`, readInference).catch(() => ({ ...item }))
