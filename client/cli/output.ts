import { constants } from 'node:fs'
import { access, mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { download } from '../node/download.ts'
import { UsageError } from '../node/errors.ts'
import { CoinslotError } from '../src/errors.ts'
import { isUuid } from '../src/json-fields.ts'
import type { Result } from '../src/types.ts'

/** Where results are written. */
export interface OutputOptions {
  /** The origin of the service, which decides from where files may be downloaded. */
  origin: string
  /** True if an existing file may be replaced; default false. */
  force?: boolean | undefined
}

/** The extensions of the files that the service stores. A file gets no other from the service. */
const EXTENSIONS = ['.png', '.jpg', '.jpeg', '.webp', '.gif', '.wav', '.ogg', '.flac', '.m4a', '.mp3']

/**
 * Writes a result to `out`. A folder gets one file per output, named by the id of the purchase. Any other path is the name of the
 * file, with a number where there are several. Returns the paths. Throws where a file exists, unless `force` is set.
 */
export async function saveResult(result: Result, out: string, options: OutputOptions): Promise<string[]> {
  const { id, output } = result
  if (!isUuid(id)) throw new CoinslotError('the service named the result by an id that is not a UUID')
  const isFolder = await isIntoFolder(out)
  const pathOf = (suffix: string, extension: string): string =>
    isFolder ? join(out, `${id}${suffix}${extension}`) : numbered(out, suffix)
  if (output.type === 'text') {
    const path = pathOf('', '.txt')
    await save(path, `${output.text}\n`, options.force)
    return [path]
  }
  return Promise.all(
    output.urls.map(async (url, index) => {
      const path = pathOf(output.urls.length > 1 ? `-${index + 1}` : '', extensionOf(url))
      await save(path, (await download(url, options)).bytes, options.force)
      return path
    }),
  )
}

function extensionOf(url: string): string {
  const extension = URL.canParse(url) ? extname(new URL(url).pathname).toLowerCase() : ''
  return EXTENSIONS.includes(extension) ? extension : ''
}

/** Creates the folder for `out`. Throws `UsageError` where nothing can be written. Call it before paying. */
export async function assertWritable(out: string, force = false): Promise<void> {
  const isFolder = await isIntoFolder(out)
  const folder = isFolder ? out : dirname(out)
  const isThere = !isFolder && (await stat(out).catch(() => null)) !== null
  if (isThere && !force)
    throw new UsageError(`--out ${out}: this file exists. Nothing was signed. Replace it with --force.`)
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
    if (isThere) await access(out, constants.W_OK)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`--out ${out}: nothing can be written there (${why}). Nothing was signed.`, { cause })
  }
}

function numbered(path: string, suffix: string): string {
  const extension = extname(path)
  return `${path.slice(0, path.length - extension.length)}${suffix}${extension}`
}

/** Writes a file and creates its folders. Throws where the file exists, unless `force` is set. */
export async function save(path: string, content: string | Uint8Array, force = false): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  try {
    await writeFile(path, content, { flag: force ? 'w' : 'wx' })
  } catch (cause) {
    const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
    throw isThere ? new CoinslotError(`${path} exists; replace it with --force`, { cause }) : cause
  }
}

/** True if `out` names a folder, which gets files named by the purchase. */
export const isIntoFolder = async (out: string): Promise<boolean> => out.endsWith('/') || (await isFolder(out))

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
