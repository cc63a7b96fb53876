/** The cookies of one service, for platforms that do not keep cookies. */
export interface CookieJar {
  /** The `Cookie` header; undefined without cookies. */
  header(): string | undefined
  get(name: string): string | undefined
  /** Stores the `Set-Cookie` lines of an answer. */
  take(lines: readonly string[]): void
}

/** A jar that starts with the given cookies. `onChange` gets all cookies after each change. */
export function cookieJar(
  initial: Readonly<Record<string, string>> = {},
  onChange: (cookies: Record<string, string>) => void = () => undefined,
): CookieJar {
  const cookies = new Map(Object.entries(initial))
  return {
    header: () => (cookies.size === 0 ? undefined : [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')),
    get: (name) => cookies.get(name),
    take: (lines) => {
      for (const line of lines) {
        const [, name, value] = /^([^=;]+)=([^;]*)/.exec(line) ?? []
        if (name === undefined || value === undefined) continue
        if (isExpired(line)) cookies.delete(name)
        else cookies.set(name, value)
      }
      if (lines.length > 0) onChange(Object.fromEntries(cookies))
    },
  }
}

function isExpired(line: string): boolean {
  const maxAge = /;\s*max-age=(-?\d+)/i.exec(line)?.[1]
  if (maxAge !== undefined) return Number(maxAge) <= 0
  const expires = /;\s*expires=([^;]+)/i.exec(line)?.[1]
  return expires !== undefined && Date.parse(expires) <= Date.now()
}

/** The browser's cookies. The browser sends them itself, and scripts can read the CSRF token only. */
export function browserCookies(document: { cookie: string }): CookieJar {
  return {
    header: () => undefined,
    get: (name) =>
      document.cookie
        .split('; ')
        .find((pair) => pair.startsWith(`${name}=`))
        ?.slice(name.length + 1),
    take: () => undefined,
  }
}
