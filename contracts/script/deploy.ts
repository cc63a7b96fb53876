import {
  type Account,
  type Address,
  type Chain,
  type Client,
  encodeDeployData,
  getAddress,
  type Hex,
  type Transport,
} from 'viem'
import { sendTransaction, waitForTransactionReceipt } from 'viem/actions'
import { aicStakingAbi } from '../abi/aic-staking.ts'
import { aicTokenAbi } from '../abi/aic-token.ts'
import { aicStakingBytecode } from '../abi/bytecode/aic-staking.ts'
import { aicTokenBytecode } from '../abi/bytecode/aic-token.ts'
import { paymentBatchBytecode } from '../abi/bytecode/payment-batch.ts'
import { paymentSplitterBytecode } from '../abi/bytecode/payment-splitter.ts'
import { wrappedAicBytecode } from '../abi/bytecode/wrapped-aic.ts'
import { paymentBatchAbi } from '../abi/payment-batch.ts'
import { paymentSplitterAbi } from '../abi/payment-splitter.ts'
import { wrappedAicAbi } from '../abi/wrapped-aic.ts'

/** A viem client that can send: it has its chain and the deployer's account. */
export type DeployClient = Client<Transport, Chain, Account>

export interface DeployAicOptions {
  /** Receives what the splitter does not burn. */
  treasury: Address
  /** Basis points, 0 to 10000; `AIC_BURN_BPS` must say the same. */
  burnBps: number
  /** Seconds between unstake and withdraw; default: 7 days, as in production. */
  cooldownSeconds?: number
  /** An existing AIC; default: a new one. */
  token?: Address
  /** Receives the supply of a new AIC; default: the deployer. */
  holder?: Address
}

export interface AicContracts {
  token: Address
  wrapped: Address
  staking: Address
  splitter: Address
}

/** 1,000,000,000 AIC in atomic units. */
const SUPPLY = 10n ** 27n
const WEEK_SECONDS = 7 * 24 * 3600

/**
 * Deploys AIC (unless one is given), its wrapper, staking and the splitter from the committed bytecode, one transaction
 * each. Returns their addresses once all are mined; throws when one of them reverts.
 */
export async function deployAic(client: DeployClient, options: DeployAicOptions): Promise<AicContracts> {
  const { treasury, burnBps, cooldownSeconds = WEEK_SECONDS, holder = client.account.address } = options
  const make = (data: Hex): Promise<Address> => deploy(client, data)
  const token =
    options.token ??
    (await make(
      encodeDeployData({ abi: aicTokenAbi, bytecode: aicTokenBytecode, args: [[{ holder, amount: SUPPLY }]] }),
    ))
  const wrapped = await make(encodeDeployData({ abi: wrappedAicAbi, bytecode: wrappedAicBytecode, args: [token] }))
  const staking = await make(
    encodeDeployData({ abi: aicStakingAbi, bytecode: aicStakingBytecode, args: [token, BigInt(cooldownSeconds)] }),
  )
  const splitter = await make(
    encodeDeployData({
      abi: paymentSplitterAbi,
      bytecode: paymentSplitterBytecode,
      args: [treasury, BigInt(burnBps)],
    }),
  )
  return { token, wrapped, staking, splitter }
}

/** The creation code of the batch contract for one payee and one to four tokens. */
export const paymentBatchCreation = (payee: Address, tokens: readonly Address[]): Hex =>
  encodeDeployData({ abi: paymentBatchAbi, bytecode: paymentBatchBytecode, args: [payee, tokens] })

/** Deploys the facilitator's batch contract. Returns its address once it is mined; throws when it reverts. */
export const deployPaymentBatch = (
  client: DeployClient,
  payee: Address,
  tokens: readonly Address[],
): Promise<Address> => deploy(client, paymentBatchCreation(payee, tokens))

async function deploy(client: DeployClient, data: Hex): Promise<Address> {
  const hash = await sendTransaction(client, { data })
  const receipt = await waitForTransactionReceipt(client, { hash })
  if (receipt.status !== 'success' || !receipt.contractAddress) throw new Error(`Deployment ${hash} reverted.`)
  return getAddress(receipt.contractAddress)
}
