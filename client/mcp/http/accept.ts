/** In what form an answer may be sent: as one JSON text, as a stream of events, or as either. */
export type Form = 'json' | 'stream' | 'either'

/** The form for what a caller accepts. JSON where it names neither: `*\/*`, a page, nothing at all. */
export function formFor(accept: string | null): Form {
  const taken = (accept ?? '').toLowerCase().split(',').flatMap(typeOf)
  const json = taken.some((type) => type === 'application/json' || type === 'application/*')
  const stream = taken.some((type) => type === 'text/event-stream' || type === 'text/*')
  if (json && stream) return 'either'
  return stream && !taken.includes('*/*') ? 'stream' : 'json'
}

/** The type of one entry; none where its weight is 0, which means "not this". */
function typeOf(entry: string): string[] {
  const [type = '', ...parameters] = entry.split(';').map((part) => part.trim())
  const [, weight] = (parameters.find((one) => one.startsWith('q=')) ?? '').split('=')
  return weight !== undefined && Number(weight) === 0 ? [] : [type]
}
