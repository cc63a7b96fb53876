import { createSignal, Show } from 'solid-js'
import { safeUrl, saveBlob } from '../../../shared/files.ts'
import type { Inference } from '../lib/records/inference.ts'
import { type ZipEntry, zipOf } from '../lib/zip.ts'
import { messages, pageMessages } from '../messages/active.ts'

interface Props {
  /** The results that were chosen. */
  chosen: readonly Inference[]
  onAll(): void
  onClose(): void
}

/** Saves the chosen results of the history as one archive. */
export default function Downloads(props: Props) {
  const [busy, setBusy] = createSignal(false)
  const [status, setStatus] = createSignal('')
  const save = async (): Promise<void> => {
    setBusy(true)
    setStatus(pageMessages.downloads.loading)
    const files = props.chosen.flatMap(filesOf)
    const loaded = (await Promise.all(files.map(load))).filter((entry) => entry !== null)
    if (loaded.length > 0) saveBlob(zipOf(loaded), 'coinslot.zip')
    setStatus(loaded.length === files.length ? '' : pageMessages.downloads.missing(`${files.length - loaded.length}`))
    setBusy(false)
  }
  return (
    <div class="downloads">
      <button type="button" class="button" disabled={busy() || props.chosen.length === 0} onClick={() => void save()}>
        {pageMessages.downloads.save(`${props.chosen.length}`)}
      </button>
      <button type="button" class="button button-quiet" onClick={() => props.onAll()}>
        {pageMessages.downloads.all}
      </button>
      <button type="button" class="button button-quiet" onClick={() => props.onClose()}>
        {messages.common.cancel}
      </button>
      <p role="status">
        <Show when={status()}>{status()}</Show>
      </p>
    </div>
  )
}

type Wanted = { name: string } & ({ text: string } | { url: string })

/** The files of a result: `coinslot-01234567-1.webp`, or its text. */
function filesOf({ id, output }: Inference): Wanted[] {
  const name = `coinslot-${id}`
  if (output === null) return []
  if (output.type === 'text') return [{ name: `${name}.txt`, text: output.text }]
  return output.urls.map((url, index) => {
    const extension = /\.([a-z0-9]{2,4})(?:$|\?)/i.exec(url)?.[1] ?? 'bin'
    return { name: `${name}-${index + 1}.${extension}`, url }
  })
}

/** Null if the file cannot be loaded. */
async function load(file: Wanted): Promise<ZipEntry | null> {
  if ('text' in file) return { name: file.name, bytes: new TextEncoder().encode(file.text) }
  const url = safeUrl(file.url)
  const bytes = url === null ? null : await fetchBytes(url)
  return bytes === null ? null : { name: file.name, bytes }
}

/** Loads a file of another origin. Null if its server does not answer or does not allow reading it. */
async function fetchBytes(url: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const response = await fetch(url, { credentials: 'omit' })
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : null
  } catch {
    return null
  }
}
