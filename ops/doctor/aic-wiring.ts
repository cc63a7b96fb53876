import type { Address, Hex } from 'viem'
import { getCode, readContract } from 'viem/actions'
import { parseAbi } from 'viem/utils'
import { clientOf } from './chains.ts'
import { type Check, type CheckContext, type Finding, fail, ok, skip, warn, wordsOf } from './finding.ts'

const abi = parseAbi([
  'function token() view returns (address)',
  'function underlying() view returns (address)',
  'function treasury() view returns (address)',
  'function getThreshold() view returns (uint256)',
])
type Getter = 'token' | 'underlying' | 'treasury'

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Checks that the AIC contracts belong to each other, and nothing is sent to one of them for ever. */
export const checkWiring: Check = async (context) => {
  const { tokenAddress, stakingAddress, paymentTokenAddress } = context.config.aic
  const staking = checkToken(context, 'aic staked token', stakingAddress, 'token')
  // A payment token that is AIC itself wraps nothing.
  const isWrapper = paymentTokenAddress && tokenAddress && !isSame(paymentTokenAddress, tokenAddress)
  const wrapped = checkToken(context, 'aic wrapped token', isWrapper ? paymentTokenAddress : undefined, 'underlying')
  return Promise.all([staking, wrapped, checkTreasury(context), checkReceiver(context)])
}

/** A contract over another token than AIC is a fault: with a worthless token anyone could stake for the highest discount. */
async function checkToken(
  context: CheckContext,
  check: string,
  address: Address | undefined,
  getter: 'token' | 'underlying',
): Promise<Finding> {
  const { tokenAddress } = context.config.aic
  if (address === undefined || tokenAddress === undefined) return skip(check, 'not configured')
  const name = getter === 'token' ? 'AIC_STAKING_ADDRESS' : 'AIC_PAYMENT_TOKEN_ADDRESS'
  const advice = `${name}: it must be a contract over AIC_TOKEN_ADDRESS. Correct one of the two.`
  try {
    const found = await read(context, address, getter)
    if (isSame(found, tokenAddress)) return ok(check, `${getter}() is AIC_TOKEN_ADDRESS`)
    return fail(check, `${getter}() is ${found}, not AIC_TOKEN_ADDRESS`, advice)
  } catch (error) {
    return fail(check, `${getter}() does not answer: ${wordsOf(error)}`, advice)
  }
}

async function checkTreasury(context: CheckContext): Promise<Finding> {
  const check = 'aic treasury'
  const { splitterAddress, tokenAddress, stakingAddress, paymentTokenAddress } = context.config.aic
  if (splitterAddress === undefined) return skip(check, 'no splitter is configured')
  const advice =
    'The splitter cannot be changed: deploy another one with a wallet as treasury, and set AIC_SPLITTER_ADDRESS.'
  try {
    const treasury = await read(context, splitterAddress, 'treasury')
    const closed = [splitterAddress, tokenAddress, stakingAddress, paymentTokenAddress]
    if (closed.some((address) => address !== undefined && isSame(address, treasury))) {
      return fail(check, `${treasury} is an AIC contract, from which nothing can leave`, advice)
    }
    return ok(check, `the rest of each split goes to ${treasury}`)
  } catch (error) {
    return fail(check, `treasury() does not answer: ${wordsOf(error)}`, advice)
  }
}

/** The first bytes of an account's code that delegates to a contract (EIP-7702): it still has its key. */
const DELEGATION = '0xef0100'

async function checkReceiver({ config }: CheckContext): Promise<Finding> {
  const check = 'receiver'
  const { receiverAddress: address } = config
  const client = clientOf(config.networks[0])
  const advice =
    'RECEIVER_ADDRESS: it must be a wallet that can send on what it receives. Make sure that this contract can, or name another.'
  try {
    const code: Hex = (await getCode(client, { address })) ?? '0x'
    if (code === '0x' || code.startsWith(DELEGATION)) return ok(check, `${address} is an account with a key`)
    const threshold = await readContract(client, { address, abi, functionName: 'getThreshold' }).catch(() => null)
    if (threshold !== null)
      return ok(check, `${address} is a Safe that needs ${threshold} signatures; split with --safe`)
    const splits = await readContract(client, { address, abi, functionName: 'treasury' }).catch(() => null)
    if (splits !== null) return fail(check, `${address} is a splitter: what it receives stays there for ever`, advice)
    return warn(check, `${address} is a contract that is not a Safe`, advice)
  } catch (error) {
    return fail(check, `its code cannot be read: ${wordsOf(error)}`, advice)
  }
}

const read = ({ config }: CheckContext, address: Address, functionName: Getter): Promise<Address> =>
  readContract(clientOf(config.networks[0]), { address, abi, functionName })
