import type { Address, Chain, Client, Transport } from 'viem'
import { getBlockNumber, getChainId, getContractEvents, getTransactionCount, readContract } from 'viem/actions'
import { paymentSplitterAbi } from '../../contracts/abi/payment-splitter.ts'
import { wrappedAicAbi } from '../../contracts/abi/wrapped-aic.ts'
import type { SplitOptions } from './options.ts'

export type SplitClient = Client<Transport, Chain>

/** The amounts to split, and the state of the chain that they were computed from. Amounts are atomic units. */
export interface SplitPlan {
  /** Received by payments, according to the journal. */
  received: bigint
  /** Split before, according to the splitter's events. */
  alreadySplit: bigint
  due: bigint
  /** The splitter's allowance from the operator in this plan. */
  allowance: bigint
  /** The operator's next nonce in this plan. A transaction with it is only mined if no other came first. */
  nonce: number
}

/** The plan would be wrong or cannot be executed. Nothing was sent. */
export class SplitRefused extends Error {
  constructor(detail: string) {
    super(detail)
    this.name = 'SplitRefused'
  }
}

/**
 * Computes what is due from one block. Events, allowance, balance and nonce are of the same block, so that a second run at the same
 * time, or after this one was killed, cannot split the same income again. Throws `SplitRefused`.
 */
export async function planSplit(client: SplitClient, options: SplitOptions, received: bigint): Promise<SplitPlan> {
  const { token, splitter, operator } = options
  await checkSetup(client, options)
  const blockNumber = await getBlockNumber(client, { cacheTime: 0 })
  const erc20 = { address: token, abi: wrappedAicAbi, blockNumber } as const
  const owner = operator.address
  const [alreadySplit, allowance, balance, nonce] = await Promise.all([
    sumOfSplits(client, options, blockNumber),
    readContract(client, { ...erc20, functionName: 'allowance', args: [owner, splitter] }),
    readContract(client, { ...erc20, functionName: 'balanceOf', args: [owner] }),
    getTransactionCount(client, { address: owner, blockNumber }),
  ])
  const due = received > alreadySplit ? received - alreadySplit : 0n
  if (balance < due) throw new SplitRefused(tooLittle(owner, balance, due))
  return { received, alreadySplit, due, allowance, nonce }
}

/** Checks that the chain is the configured one, and that the splitter burns the configured share. */
async function checkSetup(client: SplitClient, { network, splitter, burnBps }: SplitOptions): Promise<void> {
  const chainId = await getChainId(client)
  if (chainId !== network.chainId) {
    throw new SplitRefused(`The RPC answers for chain ${chainId}, but ${network.network} is configured.`)
  }
  const contract = { address: splitter, abi: paymentSplitterAbi } as const
  const onChain = await readContract(client, { ...contract, functionName: 'burnBps' })
  if (onChain !== BigInt(burnBps)) {
    throw new SplitRefused(`AIC_BURN_BPS is ${burnBps}, but the splitter at ${splitter} burns ${onChain} basis points.`)
  }
}

/** Everything that this operator or a former one has split of this token, up to a block. */
async function sumOfSplits(client: SplitClient, options: SplitOptions, toBlock: bigint): Promise<bigint> {
  const { splitter: address, token, operator, formerOperators } = options
  const contract = { address, abi: paymentSplitterAbi } as const
  const first = await readContract(client, { ...contract, functionName: 'deployedAtBlock' })
  const args = { token, caller: [operator.address, ...formerOperators] }
  const step = BigInt(options.blocksPerCall)
  let sum = 0n
  for (let fromBlock = first; fromBlock <= toBlock; fromBlock += step) {
    const last = fromBlock + step - 1n
    const range = { fromBlock, toBlock: last < toBlock ? last : toBlock }
    const events = await getContractEvents(client, { ...contract, eventName: 'Split', args, strict: true, ...range })
    for (const event of events) sum += event.args.amount
  }
  return sum
}

const tooLittle = (owner: Address, balance: bigint, due: bigint): string =>
  `${owner} holds ${balance} atomic units, but ${due} are due. Is this the wallet that receives the payments? ` +
  'If another wallet split earlier income, name it in SPLIT_FORMER_OPERATORS.'
