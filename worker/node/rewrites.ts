import { patternOf } from './header-rules.ts'

/** Reads a Pages `_redirects` file: patterns of the paths that are the app's own (`/path / 200`). It sends nobody elsewhere. */
export function parseRewrites(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const [path, target, status] = line.trim().split(/\s+/)
    return path !== undefined && target === '/' && status === '200' ? [patternOf(path)] : []
  })
}
