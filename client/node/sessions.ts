import { type CookieJar, cookieJar } from '../src/session/cookies.ts'
import { isFields, isText, parseJson } from '../src/shape.ts'
import type { State } from './state.ts'

/** The cookies of a wallet at a service, kept in the state: one sign-in lasts as long as the service lets it, 7 days. */
export function keptCookies({ database }: State, origin: string, address: string): CookieJar {
  const row = database.prepare('select cookies from sessions where origin = ? and address = ?').get(origin, address)
  const save = database.prepare(
    `insert into sessions (origin, address, cookies) values (?, ?, ?)
     on conflict (origin, address) do update set cookies = excluded.cookies`,
  )
  const held = parseJson(String(row?.['cookies'] ?? '{}'))
  const pairs = Object.entries(isFields(held) ? held : {}).flatMap(([name, value]) =>
    isText(value) ? [[name, value]] : [],
  )
  return cookieJar(Object.fromEntries(pairs), (cookies) => save.run(origin, address, JSON.stringify(cookies)))
}
