import type { Address } from 'viem'
import type { Config } from '../../worker/config/config.ts'
import { originOfRequest } from '../../worker/domain/auth/origin.ts'
import { writeSession } from '../../worker/domain/auth/session.ts'

/** The cookies of one caller by name, kept as a browser would keep them. */
export class CookieJar extends Map<string, string> {
  /** Stores the cookies of a response, and deletes those that it expires. */
  keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (name === undefined || value === undefined) continue
      if (/; max-age=0(;|$)/i.test(line)) this.delete(name)
      else this.set(name, value)
    }
  }

  /** The CSRF token; undefined before the first response. */
  get csrf(): string | undefined {
    return this.get('__Host-csrf') ?? this.get('csrf')
  }

  /** The `cookie` header; empty when there are no cookies. */
  get header(): string {
    return [...this].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** The headers of a call with these cookies: `cookie`, and `x-csrf-token` once there is a token. */
  get headers(): Record<string, string> {
    return {
      ...(this.size > 0 && { cookie: this.header }),
      ...(this.csrf !== undefined && { 'x-csrf-token': this.csrf }),
    }
  }
}

/** Headers with lower-case names, so that the later of two spellings replaces the earlier. */
export const lowerCased = (headers: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** A session cookie's value as sign-in would write it, for tests that need a signed-in user and no database. */
export async function sealFor(config: Config, address: Address, chainId = config.networks[0].chainId): Promise<string> {
  let seal = ''
  const jar = {
    read: () => undefined,
    write: (_name: string, value: string) => {
      seal = value
    },
  }
  await writeSession(config, jar, originOfRequest(config, config.publicOrigins[0]), { address, chainId })
  return seal
}
