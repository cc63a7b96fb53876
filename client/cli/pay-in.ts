import { AIC_DECIMALS, parseAmount } from '../../protocol/money.ts'
import { UsageError } from '../node/errors.ts'
import type { Hex } from '../src/account.ts'
import type { OtherToken } from '../src/purchase/choose.ts'
import type { CommandContext } from './context.ts'
import { hexFlag } from './flags.ts'

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
  const asset = wrappedAic(flags['aic-token'], local)
  if (max === undefined) throw new UsageError('--pay aic: give the most that it may cost with --max-aic N')
  try {
    parseAmount(max, AIC_DECIMALS)
  } catch {
    throw new UsageError(`--max-aic ${max}: give an amount of AIC`)
  }
  return { asset, decimals: AIC_DECIMALS, max }
}

/** The contract of wrapped AIC, of `--aic-token` or the local stack. Throws `UsageError`. */
export function wrappedAic(flag: string | undefined, local: CommandContext['local']): Hex {
  const address = flag ?? local?.contracts['wrappedAic']
  if (address === undefined) throw new UsageError('Which contract is wrapped AIC? Name it with --aic-token ADDRESS.')
  return hexFlag('--aic-token', address, 40)
}
