/** Code of the site that could not be fetched. */
export class LoadError extends Error {
  override name = 'LoadError'
}

/** Pauses before the second and the third try. */
const RETRY_AFTER_MS = [400, 1200]
const loaded = new Set<string>()

/**
 * Runs an `import()` after its files are in the browser's cache. The build wraps every `import()` of the site in this function and
 * passes the files it needs. A browser remembers a failed `import()` until the page is loaded again, but a failed fetch can be repeated.
 * Throws LoadError. A later call tries again.
 */
export async function loadCode<Module>(load: () => Promise<Module>, files: readonly string[] = []): Promise<Module> {
  try {
    await Promise.all(files.map(fetchFile))
    return await load()
  } catch (cause) {
    throw new LoadError('a part of the site could not be loaded', { cause })
  }
}

async function fetchFile(file: string): Promise<void> {
  if (loaded.has(file)) return
  for (let tries = 0; ; tries += 1) {
    try {
      const response = await fetch(import.meta.env.BASE_URL + file)
      // A host may answer a removed file with a page.
      if (!/javascript/.test(response.headers.get('content-type') ?? '')) throw new Error(`${file}: ${response.status}`)
      await response.arrayBuffer()
      loaded.add(file)
      return
    } catch (cause) {
      const pauseMs = RETRY_AFTER_MS[tries]
      if (pauseMs === undefined) throw cause
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}
