import { constants } from 'node:fs'
import { access, mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { CoinslotError, ConnectionError } from '../src/errors.ts'
import { makeRetrier } from '../src/retry.ts'
import type { Result } from '../src/types.ts'
import { UsageError } from './flags.ts'

const DOWNLOAD_MS = 120_000
const TRIES = 5

/** One file of a result. */
export interface Media {
  url: string
  /** As the store names it, without parameters. */
  type: string
  bytes: Uint8Array
}

/** Fetches a result's media; reading is harmless, so a broken download is made again. Throws when it stays broken. */
export function download(url: string): Promise<Media> {
  return makeRetrier(TRIES).retry(async () => {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_MS) })
      if (!response.ok) throw new CoinslotError(`${url} answers ${response.status}`)
      const type = response.headers.get('content-type')?.split(';')[0]?.trim() ?? 'application/octet-stream'
      return { url, type, bytes: new Uint8Array(await response.arrayBuffer()) }
    } catch (error) {
      if (error instanceof CoinslotError) throw error
      throw new ConnectionError(`${new URL(url).host} gave no file`, { cause: error })
    }
  })
}

/**
 * Writes a result to `out`: into it when it is a folder or ends in `/`, named for the purchase, else under that name, with a
 * number where there are several. Returns the paths.
 */
export async function saveResult(result: Result, out: string): Promise<string[]> {
  const { output } = result
  const intoFolder = await isIntoFolder(out)
  if (output.type === 'text') {
    const path = intoFolder ? join(out, `${result.id}.txt`) : out
    await save(path, `${output.text}\n`)
    return [path]
  }
  return Promise.all(
    output.urls.map(async (url, index) => {
      const suffix = output.urls.length > 1 ? `-${index + 1}` : ''
      const path = intoFolder
        ? join(out, `${result.id}${suffix}${extname(new URL(url).pathname)}`)
        : numbered(out, suffix)
      await save(path, (await download(url)).bytes)
      return path
    }),
  )
}

/** Makes the folder that `out` names or stands in. Throws `UsageError` when nothing can be written there: ask before paying. */
export async function assertWritable(out: string): Promise<void> {
  const folder = (await isIntoFolder(out)) ? out : dirname(out)
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
    if (folder !== out) await access(out, constants.W_OK).catch(ignoreAbsence)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`--out ${out}: nothing can be written there (${why}). Nothing was signed.`, { cause })
  }
}

function ignoreAbsence(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

function numbered(path: string, suffix: string): string {
  const extension = extname(path)
  return `${path.slice(0, path.length - extension.length)}${suffix}${extension}`
}

/** Writes a file, and the folders it stands in. */
export async function save(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

/** Whether files are put into `out` under names of their own. */
export const isIntoFolder = async (out: string): Promise<boolean> => out.endsWith('/') || (await isFolder(out))

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
