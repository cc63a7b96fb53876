import type { Address } from 'viem'
import { originOfRequest } from '../../worker/auth/origin.ts'
import { writeSession } from '../../worker/auth/session.ts'
import type { Config } from '../../worker/config/config.ts'

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
