/** Neon's pooled host multiplexes sessions, which would break a session's lock: its direct host is the same without `-pooler`. */
export function directUrl(url: string): URL {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Error('DATABASE_URL must look like postgresql://user:password@host/database')
  }
  const target = new URL(url)
  if (target.hostname.endsWith('.neon.tech')) target.hostname = target.hostname.replace('-pooler.', '.')
  return target
}
