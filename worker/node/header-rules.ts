/** One block of a Pages `_headers` file. */
export interface HeaderRule {
  /** Source of a regular expression over the path. */
  pattern: string
  set: [name: string, value: string][]
  remove: string[]
}

/** Reads a Pages `_headers` file: a path (with `*` and `:name`), then indented `Name: value` or `! Name` lines. */
export function parseHeaderRules(text: string): HeaderRule[] {
  const rules: HeaderRule[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue
    const rule = rules.at(-1)
    if (!/^\s/.test(line)) rules.push({ pattern: patternOf(line.trim()), set: [], remove: [] })
    else if (line.trim().startsWith('!')) rule?.remove.push(line.trim().slice(1).trim())
    else {
      const colon = line.indexOf(':')
      if (colon > 0) rule?.set.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()])
    }
  }
  return rules
}

/** Source of a regular expression for a path of Pages, with `*` and `:name`. */
function patternOf(path: string): string {
  const escaped = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return `^${escaped.replace(/\*/g, '.*').replace(/:[A-Za-z]\w*/g, '[^/]+')}$`
}

/** Addresses of the app that its start page answers. */
export interface Rewrite {
  /** Source of a regular expression over the path. */
  pattern: string
  /** The file of that start page: `/es/index.html`. */
  file: string
}

/** Reads the addresses of a Pages `_redirects` file that are the app's own (`/es/path /es/ 200`). */
export function parseRewrites(text: string): Rewrite[] {
  return text.split('\n').flatMap((line) => {
    const [path, target, status] = line.trim().split(/\s+/)
    return path !== undefined && target?.endsWith('/') && status === '200'
      ? [{ pattern: patternOf(path), file: `${target}index.html` }]
      : []
  })
}

/** Addresses that lead elsewhere. */
export interface Redirect {
  /** Source of a regular expression over the path, whose group is the rest of it. */
  pattern: string
  /** Where it leads. `$1` in it is that rest. */
  target: string
}

/** Reads the redirects of the same file (`/pt/* /pt-br/:splat 302`). */
export function parseRedirects(text: string): Redirect[] {
  return text.split('\n').flatMap((line) => {
    const [path, target, status] = line.trim().split(/\s+/)
    return path !== undefined && target !== undefined && status === '302'
      ? [{ pattern: patternOf(path).replace('.*', '(.*)'), target: target.replace(':splat', '$1') }]
      : []
  })
}

/** Where a path leads; null where it is answered. */
export function redirectOf(redirects: readonly Redirect[], pathname: string): string | null {
  const found = redirects.find(({ pattern }) => new RegExp(pattern).test(pathname))
  return found === undefined ? null : pathname.replace(new RegExp(found.pattern), found.target).replace(/^\/+/, '/')
}
