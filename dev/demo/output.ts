import { mkdir, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Result } from './api.ts'

/** Saves the media of a result under `dir`, named for the purchase. Returns the paths, none for a text. */
export async function saveOutput(result: Result, dir: string): Promise<string[]> {
  const { output } = result
  if (output === null || output.type === 'text') return []
  await mkdir(dir, { recursive: true })
  return Promise.all(
    output.urls.map(async (url, index) => {
      const response = await fetch(url, { signal: AbortSignal.timeout(60_000) })
      if (!response.ok) throw new Error(`${url} answers ${response.status}`)
      const suffix = output.urls.length > 1 ? `-${index + 1}` : ''
      const path = join(dir, `${result.id}${suffix}${extname(new URL(url).pathname)}`)
      await writeFile(path, Buffer.from(await response.arrayBuffer()))
      return path
    }),
  )
}
