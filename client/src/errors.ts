import { networkName } from '../../protocol/networks.ts'
import { CoinslotError } from './problem.ts'

export { CoinslotError, ConnectionError, type Problem, ProblemError, readProblem } from './problem.ts'

/** The price is above `maxUsdc`, or nothing that the service takes may be signed. Nothing was signed. */
export class SpendCapError extends CoinslotError {
  override name = 'SpendCapError'
}

/** The amount that a wallet lacks. */
export interface Shortage {
  /** The address that needs the token, in EIP-55 form. */
  address: string
  /** CAIP-2. */
  network: string
  /** `AIC` is wrapped AIC, which pays. */
  token: 'USDC' | 'AIC'
  /** The token's contract. */
  asset: string
  /** Decimal strings of the token. */
  price: string
  balance: string
  /** The part of the wallet's AIC to wrap, a decimal string: with it the balance is the price. Null when all is not enough. */
  wrap: string | null
}

/** The wallet has less of the token than the price, as the service reads it from the chain. Nothing was signed. */
export class InsufficientFundsError extends CoinslotError {
  override name = 'InsufficientFundsError'
  readonly shortage: Shortage

  constructor(shortage: Shortage) {
    const { address, network, token, price, balance, wrap } = shortage
    const name = token === 'AIC' ? 'wrapped AIC' : token
    const next = wrap === null ? `send ${token} to that address first` : `wrap ${wrap} of its AIC first`
    super(
      `${address} needs ${price} ${name} on ${networkName(network)}, and has ${balance}. Nothing was signed: ${next}.`,
    )
    this.shortage = shortage
  }
}

/** The rest of the budget is below the price. Nothing was signed. */
export class BudgetError extends CoinslotError {
  override name = 'BudgetError'
}

/** Too little is left of a quote to sign it: ask for a new one. Nothing was signed. */
export class QuoteExpiredError extends CoinslotError {
  override name = 'QuoteExpiredError'
}

/** A signed payment without a result. It is kept in the store. `run` with the same request, or `resume`, continues with it. */
export class UnfinishedError extends CoinslotError {
  override name = 'UnfinishedError'
  /** Id of the kept payment, for `resume`. */
  readonly paymentId: string
  /** Id of the inference, once the service has sent it. */
  readonly inferenceId: string | undefined

  constructor(paymentId: string, inferenceId: string | undefined, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause)
    super(
      `There is no result yet (${why}). The signed payment is kept: run the same request again to continue with it.`,
      {
        cause,
      },
    )
    this.paymentId = paymentId
    this.inferenceId = inferenceId
  }
}

/** The session ended during a payment, and only the caller signs in. After that, `resume` continues with the payment. */
export class SignedOutError extends UnfinishedError {
  override name = 'SignedOutError'
}
