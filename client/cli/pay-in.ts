import { parseAmount } from '../src/money.ts'
import type { OtherToken } from '../src/purchase/choose.ts'
import type { CommandContext } from './context.ts'
import { UsageError } from './flags.ts'

const AIC_DECIMALS = 18

interface Flags {
  pay?: string | undefined
  'max-aic'?: string | undefined
  'aic-token'?: string | undefined
}

/** The token of `--pay`; undefined for USDC. The user names its contract, not the service. Throws `UsageError`. */
export function otherToken(flags: Flags, { local }: Pick<CommandContext, 'local'>): OtherToken | undefined {
  const { pay = 'usdc', 'max-aic': max } = flags
  if (pay === 'usdc') return undefined
  if (pay !== 'aic') throw new UsageError(`--pay ${pay}: give usdc or aic`)
  const asset = flags['aic-token'] ?? local?.contracts['wrappedAic'] ?? ''
  if (!/^0x[0-9a-fA-F]{40}$/.test(asset)) throw new UsageError('--pay aic: name the token with --aic-token ADDRESS')
  if (max === undefined) throw new UsageError('--pay aic: give the most that it may cost with --max-aic N')
  try {
    parseAmount(max, AIC_DECIMALS)
  } catch {
    throw new UsageError(`--max-aic ${max}: give an amount of AIC`)
  }
  return { asset, decimals: AIC_DECIMALS, max }
}
