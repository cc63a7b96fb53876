import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { type Abi, type Hex, isAddressEqual } from 'viem'
import type { VerifyTypedDataParameters } from 'viem/actions'
import { getCode, readContract, simulateContract, verifyTypedData } from 'viem/actions'
import * as z from 'zod'
import { type Fees, presentFees } from '../gas/fees.ts'
import { type Network, type NetworkOptions, payerOf } from '../network.ts'
import type { PaymentPayload, PaymentRequirements } from '../request.ts'

/** The x402 library types its calls loosely; viem needs its own types. */
const abiSchema = z.custom<Abi>((value) => Array.isArray(value))
const typedDataSchema = z.custom<VerifyTypedDataParameters>((value) => typeof value === 'object' && value !== null)

export type VerifyAnswer = Awaited<ReturnType<ExactEvmScheme['verify']>>
type VerifierOptions = Pick<NetworkOptions, 'keys' | 'maxGas' | 'maxFeePerGas'> & Pick<Network, 'client' | 'addresses'>

/** Calls that run a wallet's code. They are simulated with the fees and the sender of the transaction. */
const SIMULATED = new Set(['transferWithAuthorization', 'isValidSignature'])

export interface Verifier {
  /** For the library's list of what is supported. */
  scheme: ExactEvmScheme
  verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyAnswer>
  /** True if all that needs no chain and no signature is as the library wants it. Where it is not, `verify` says why. */
  fits(payload: PaymentPayload, requirements: PaymentRequirements): boolean
}

/** Verifies payments of one network by the x402 library. */
export function makeVerifier(options: VerifierOptions): Verifier {
  return {
    scheme: new ExactEvmScheme(makeSigner(options)),
    verify: (payload, requirements) => new ExactEvmScheme(makeSigner(options)).verify(payload, requirements),
    fits,
  }
}

/** The library refuses an authorization that ends within this. */
const SECONDS_LEFT = 6n

function fits(
  { payload: { authorization }, accepted }: PaymentPayload,
  { network, scheme, amount, payTo, extra }: PaymentRequirements,
): boolean {
  const now = BigInt(Math.floor(Date.now() / 1_000))
  const { to, value, validAfter, validBefore } = authorization
  return (
    [accepted.scheme, scheme].every((each) => each === 'exact') &&
    accepted.network === network &&
    [extra['name'], extra['version']].every((each) => typeof each === 'string' && each !== '') &&
    isAddressEqual(to, payTo) &&
    BigInt(value) === BigInt(amount) &&
    BigInt(validAfter) <= now &&
    BigInt(validBefore) >= now + SECONDS_LEFT
  )
}

const never = (what: string) => () => Promise.reject(new Error(`the library ${what} nothing here`))

/** The chain calls that the x402 library makes for one payment. They only read. */
function makeSigner({ client, keys, addresses, maxGas, maxFeePerGas: cap }: VerifierOptions) {
  const codes = new Map<string, Promise<Hex | undefined>>()
  let fees: Promise<Fees> | undefined
  const readFees = (): Promise<Fees> => {
    fees ??= presentFees(client, cap).then(({ maxFeePerGas, maxPriorityFeePerGas }) => ({
      maxFeePerGas,
      maxPriorityFeePerGas,
    }))
    return fees
  }
  const signer = toFacilitatorEvmSigner({
    address: payerOf({ keys }),
    // The library asks twice for the payer's code.
    getCode({ address }) {
      const code = codes.get(address.toLowerCase()) ?? getCode(client, { address })
      codes.set(address.toLowerCase(), code)
      return code
    },
    async readContract(call) {
      const typed = { ...call, abi: abiSchema.parse(call.abi) }
      if (!SIMULATED.has(call.functionName)) return readContract(client, typed)
      const sent = { ...typed, account: payerOf({ keys }), gas: maxGas, ...(await readFees()) }
      return (await simulateContract(client, sent)).result
    },
    verifyTypedData: (data) => verifyTypedData(client, typedDataSchema.parse(data)),
    writeContract: never('sends'),
    sendTransaction: never('deploys'),
    waitForTransactionReceipt: never('waits for'),
  })
  return { ...signer, getAddresses: () => addresses }
}
