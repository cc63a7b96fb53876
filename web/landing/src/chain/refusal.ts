import { type Hex, isHex } from 'viem'
import { isFields } from '../../../shared/shape.ts'

const MAX_DEPTH = 6

/** The errors of the functions that a buyer calls, by their first four bytes. A test compares them with the ABI. */
export const ERRORS: ReadonlyMap<string, string> = new Map([
  ['08c379a0', 'Error'],
  ['4e487b71', 'Panic'],
  ['5589fdfb', 'EnforcedPause'],
  ['88b2034e', 'CoolingOffUntil'],
  ['52f0214c', 'NotFinished'],
  ['1478b336', 'NotOpen'],
  ['3742d1f6', 'NotRefundable'],
  ['f76aef65', 'NothingToRefund'],
  ['448da06f', 'PhaseClosed'],
  ['8c52e8c9', 'PhaseSoldOut'],
  ['291f2410', 'PurchaseTooSmall'],
  ['3ee5aeb5', 'ReentrancyGuardReentrantCall'],
  ['6dfcc650', 'SafeCastOverflowedUintDowncast'],
  ['5274afe7', 'SafeERC20FailedOperation'],
  ['9a9ea51d', 'SoftCapMissed'],
  ['651d12c7', 'WalletCapReached'],
  ['db2e1063', 'NothingToClaim'],
  ['3194882a', 'BuyersFirst'],
  ['2a0cfe21', 'ClaimsJustBegan'],
  ['e4656236', 'NotYet'],
])

/** The name of the contracts' error in what a wallet or node threw: `PhaseSoldOut`. Null where it has none. */
export function refusalName(error: unknown): string | null {
  const data = errorData(error)
  if (data === null) return /blacklist/i.test(messageOf(error)) ? 'Blocklisted' : null
  const name = ERRORS.get(data.slice(2, 2 + SELECTOR_DIGITS).toLowerCase()) ?? null
  return name === 'Error' && BLACKLIST.test(data) ? 'Blocklisted' : name
}
const SELECTOR_DIGITS = 8
/** `lacklist` in hex, as in USDC's words `Blacklistable: account is blacklisted`. */
const BLACKLIST = /6c61636b6c697374/i

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
