import type { Address } from 'viem'
import { makeReadCache } from '../../lib/read-cache.ts'
import type { RequestDeps, Session } from '../deps.ts'

const readCode = makeReadCache<boolean>('account.code_unreadable', 30_000)

/**
 * Returns true if a contract controls this address on any of these chains. A contract wallet is one account per chain: on another
 * chain the same address may belong to someone else. Null when a chain did not answer and none has a contract.
 */
export async function isContractOnAny(
  deps: RequestDeps,
  chainIds: readonly number[],
  account: Address,
): Promise<boolean | null> {
  const found = await Promise.all(
    [...new Set(chainIds)].map((chainId) =>
      readCode(deps, { what: 'code', account, chainId, ask: () => deps.chain.isContract(chainId, account) }),
    ),
  )
  if (found.includes(true)) return true
  return found.includes(null) ? null : false
}

/**
 * Returns true if this session has an administrator's rights. An entry with a chain counts on that chain only; one without is for a
 * plain account, whose key is the same on every chain. Null when the chains that decide did not answer.
 */
export async function isAdmin(deps: RequestDeps, { address, chainId }: Session): Promise<boolean | null> {
  const { admins, networks } = deps.config
  const entries = admins.filter((admin) => admin.address === address.toLowerCase())
  if (entries.some((admin) => admin.chainId === chainId)) return true
  if (!entries.some((admin) => admin.chainId === null)) return false
  const contract = await isContractOnAny(
    deps,
    networks.map((network) => network.chainId),
    address,
  )
  return contract === null ? null : !contract
}
