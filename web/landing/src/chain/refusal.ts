import { decodeErrorResult, type Hex, isHex } from 'viem'
import { claimModuleAbi } from '../../../../contracts/abi/claim-module.ts'
import { presaleAbi } from '../../../../contracts/abi/presale.ts'
import { isFields } from '../../../src/lib/shape.ts'

const MAX_DEPTH = 6

/** The name of the contracts' error in what a wallet or node threw: `PhaseSoldOut`. Null where it has none. */
export function refusalName(error: unknown): string | null {
  const data = errorData(error)
  if (data === null) return /blacklist/i.test(messageOf(error)) ? 'Blocklisted' : null
  for (const abi of [presaleAbi, claimModuleAbi]) {
    try {
      const { errorName, args }: { errorName: string; args?: readonly unknown[] | undefined } = decodeErrorResult({
        abi,
        data,
      })
      return errorName === 'Error' && /blacklist/i.test(String(args?.[0])) ? 'Blocklisted' : errorName
    } catch {
      // An error of the other contract, or of another one.
    }
  }
  return null
}

const messageOf = (error: unknown): string =>
  isFields(error) && typeof error['message'] === 'string' ? error['message'] : ''

/** The bytes of a revert, wherever the wallet puts them. */
function errorData(error: unknown, depth = 0): Hex | null {
  if (isHex(error) && error.length >= 10) return error
  if (!isFields(error) || depth > MAX_DEPTH) return null
  const inner = [error['data'], error['cause'], error['error'], error['originalError'], error['info']]
  for (const one of inner) {
    const found = errorData(one, depth + 1)
    if (found !== null) return found
  }
  return null
}
