import { readContract } from 'viem/actions'
import { parseAbi } from 'viem/utils'
import { makeViemChain } from '../../worker/upstreams/chain/viem-chain.ts'
import { checkWiring } from './aic-wiring.ts'
import { clientOf } from './chains.ts'
import { type Check, type CheckContext, type Finding, fail, ok, skip, warn, wordsOf } from './finding.ts'

/** The specification's EIP-712 version of AIC. */
const AIC_VERSION = '1'
const splitterAbi = parseAbi([
  'function burnBps() view returns (uint256)',
  'function treasury() view returns (address)',
])

/** Checks that the configured AIC contracts are on the first payment network. */
export const checkAic: Check = async (context) => {
  const { aic } = context.config
  if (Object.keys(aic).length === 0) return [skip('aic', 'no AIC is configured')]
  const own = await Promise.all([checkPayment(context), checkStaking(context), checkSplitter(context)])
  return [...own, ...(await checkWiring(context))]
}

async function checkPayment({ config, fetch }: CheckContext): Promise<Finding> {
  const check = 'aic payment token'
  const [first] = config.networks
  const { usdcRate, tokenAddress, paymentTokenAddress = tokenAddress } = config.aic
  if (usdcRate === undefined || paymentTokenAddress === undefined) {
    return skip(check, 'AIC is not accepted as payment (that needs AIC_USDC_RATE and a token)')
  }
  const chain = makeViemChain(config.networks, { fetch })
  const advice =
    'AIC_PAYMENT_TOKEN_ADDRESS: it must be the EIP-3009 token (WrappedAic where AIC itself has none) on the first of ' +
    'PAYMENT_NETWORKS, with EIP-712 version 1. It is left out of every price meanwhile.'
  try {
    const name = await chain.tokenName(first.chainId, paymentTokenAddress)
    const isPayable = await chain.isPayableToken(first.chainId, paymentTokenAddress, { name, version: AIC_VERSION })
    if (isPayable) return ok(check, `the domain is "${name}" version ${AIC_VERSION}`)
    return fail(check, `${paymentTokenAddress} has no EIP-3009, or another EIP-712 domain`, advice)
  } catch (error) {
    return fail(check, `${paymentTokenAddress} does not answer: ${wordsOf(error)}`, advice)
  }
}

async function checkStaking({ config, fetch }: CheckContext): Promise<Finding> {
  const check = 'aic staking'
  const { stakingAddress } = config.aic
  if (stakingAddress === undefined) return skip(check, 'no staking contract is configured (AIC_STAKING_ADDRESS)')
  const chain = makeViemChain(config.networks, { fetch })
  try {
    await chain.stakedBalance(config.networks[0].chainId, stakingAddress, config.receiverAddress)
    return ok(check, 'stakedBalance answers')
  } catch (error) {
    const advice =
      'AIC_STAKING_ADDRESS: no staking contract answers there. Until then there are no discounts, and with ENFORCE_TIERS premium models are closed.'
    return fail(check, wordsOf(error), advice)
  }
}

async function checkSplitter({ config }: CheckContext): Promise<Finding> {
  const check = 'aic splitter'
  const { splitterAddress: address, burnBps } = config.aic
  if (address === undefined) return skip(check, 'no splitter is configured')
  try {
    const found = await readContract(clientOf(config.networks[0]), {
      address,
      abi: splitterAbi,
      functionName: 'burnBps',
    })
    if (burnBps === undefined) {
      return warn(
        check,
        `it burns ${found} basis points`,
        `Set AIC_BURN_BPS="${found}", which the site and the stats show.`,
      )
    }
    if (found === BigInt(burnBps)) return ok(check, `burns ${found} basis points, as AIC_BURN_BPS says`)
    return fail(
      check,
      `it burns ${found} basis points, AIC_BURN_BPS says ${burnBps}`,
      `The contract cannot be changed: set AIC_BURN_BPS="${found}", or deploy another splitter and set AIC_SPLITTER_ADDRESS.`,
    )
  } catch (error) {
    return fail(check, wordsOf(error), 'AIC_SPLITTER_ADDRESS: no splitter answers there. Correct it.')
  }
}
