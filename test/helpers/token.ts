import {
  type Account,
  createClient,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  http,
  numberToHex,
  parseAbi,
  parseEther,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { call, sendTransaction, waitForTransactionReceipt } from 'viem/actions'
import { MULTICALL3 } from '../../dev/anvil/chain.ts'
import { decodeHeader } from './sign-payment.ts'
import type { TestStack } from './stack.ts'

const abi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
])

interface Signed {
  accepted: { extra: { name: string; version: string } }
  payload: {
    authorization: Record<'from' | 'to' | 'nonce', Hex> & Record<'value' | 'validAfter' | 'validBefore', string>
    signature: Hex
  }
}

const signedIn = (header: string): Signed => decodeHeader(header) as Signed

/** The call that makes the payment of a `Payment-Signature` header, as any account may send it. */
function transferCall(header: string): Hex {
  const { authorization: a, signature } = signedIn(header).payload
  const args = [a.from, a.to, BigInt(a.value), BigInt(a.validAfter), BigInt(a.validBefore), a.nonce, signature] as const
  return encodeFunctionData({ abi, functionName: 'transferWithAuthorization', args })
}

async function signCancellation(payer: PrivateKeyAccount, header: string, info: TestStack['info']) {
  const { accepted, payload } = signedIn(header)
  const { nonce } = payload.authorization
  const { name, version } = accepted.extra
  const signature = await payer.signTypedData({
    domain: { name, version, chainId: info.chainId, verifyingContract: info.usdc },
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: payer.address, nonce },
  })
  return { nonce, signature }
}

/** Real transactions on the dev chain, from accounts that are neither the facilitator's nor ours. */
export function makeOutsider({ info }: Pick<TestStack, 'info'>) {
  const client = createClient({ transport: http(info.rpcUrl), pollingInterval: 50 })
  /** One that sends a single transaction, so that no transaction waits for the nonce of another. */
  const stranger = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey())

  const rpc = (method: string, ...params: unknown[]): Promise<unknown> =>
    client.request({ method, params } as Parameters<typeof client.request>[0])

  async function send(account: Account, to: Hex, data: Hex): Promise<Hex> {
    await rpc('anvil_setBalance', account.address, numberToHex(parseEther('10')))
    const hash = await sendTransaction(client, { account, to, data, chain: null, gas: 2_000_000n })
    const receipt = await waitForTransactionReceipt(client, { hash })
    if (receipt.status !== 'success') throw new Error(`transaction ${hash} reverted`)
    return hash
  }

  return {
    rpc,
    /** Submits the payment of a header; returns the transaction. */
    submit: (header: string): Promise<Hex> => send(stranger(), info.usdc, transferCall(header)),
    /** Submits the payments of several headers in one transaction. */
    submitTogether(headers: readonly string[]): Promise<Hex> {
      const calls = headers.map((header) => ({
        target: info.usdc,
        allowFailure: false,
        callData: transferCall(header),
      }))
      const data = encodeFunctionData({ abi, functionName: 'aggregate3', args: [calls] })
      return send(stranger(), MULTICALL3, data)
    },
    /** The payer takes the authorization of a header back. */
    async cancel(payer: PrivateKeyAccount, header: string): Promise<Hex> {
      const { nonce, signature } = await signCancellation(payer, header, info)
      const args = [payer.address, nonce, signature] as const
      return send(stranger(), info.usdc, encodeFunctionData({ abi, functionName: 'cancelAuthorization', args }))
    },
    /** The payer's whole balance goes elsewhere. */
    async drain(payer: PrivateKeyAccount): Promise<void> {
      const balanceOf = encodeFunctionData({
        abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
        args: [payer.address],
      })
      const { data = '0x0' } = await call(client, { to: info.usdc, data: balanceOf })
      const args = [stranger().address, hexToBigInt(data)] as const
      await send(payer, info.usdc, encodeFunctionData({ abi, functionName: 'transfer', args }))
    },
    /** Transactions that wait for a block. */
    async pending(): Promise<number> {
      const pool = (await rpc('txpool_status')) as { pending: Hex }
      return Number(pool.pending)
    },
    /** Time of the newest block, seconds. */
    async blockTime(): Promise<number> {
      const block = (await rpc('eth_getBlockByNumber', 'latest', false)) as { timestamp: Hex }
      return Number(block.timestamp)
    },
  }
}
