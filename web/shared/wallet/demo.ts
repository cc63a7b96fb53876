import { type Hex, hexToString, isHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { askDevChain, type DevFacts, devFacts } from '../dev-chain.ts'
import { type Fields, fields, isFields, maybeStr } from '../shape.ts'

/** Answers a wallet request with the chosen test key, by default the first. It never asks the person. */
export async function demoRequest(chosen: string | null, method: string, params: unknown[]): Promise<unknown> {
  const facts = await devFacts()
  const buyer = facts.buyers.find(({ address }) => address === chosen) ?? facts.buyers[0]
  if (buyer === undefined) throw new Error('the local stack names no buyer')
  return answer(facts, privateKeyToAccount(asHex(buyer.privateKey)), method, params)
}

async function answer(
  facts: DevFacts,
  account: PrivateKeyAccount,
  method: string,
  params: unknown[],
): Promise<unknown> {
  switch (method) {
    case 'eth_requestAccounts':
    case 'eth_accounts':
      return [account.address]
    case 'eth_chainId':
      return `0x${facts.chainId.toString(16)}`
    case 'wallet_switchEthereumChain':
    case 'wallet_addEthereumChain':
      return null
    case 'personal_sign':
      return account.signMessage({ message: hexToString(asHex(params[0])) })
    case 'eth_signTypedData_v4':
      return signTypedData(account, params[1])
    case 'eth_sendTransaction':
      return send(facts, account, fields(params[0], 'transaction'))
    default:
      return askDevChain(method, params)
  }
}

function asHex(value: unknown): Hex {
  if (!isHex(value)) throw new Error('expected hex')
  return value
}

interface TypedDocument {
  domain: Fields
  types: Record<string, { name: string; type: string }[]>
  primaryType: string
  message: Fields
}

function isTypedDocument(value: unknown): value is TypedDocument {
  return (
    isFields(value) &&
    isFields(value['domain']) &&
    isFields(value['types']) &&
    isFields(value['message']) &&
    typeof value['primaryType'] === 'string'
  )
}

function signTypedData(account: PrivateKeyAccount, json: unknown): Promise<Hex> {
  const document: unknown = typeof json === 'string' ? JSON.parse(json) : json
  if (!isTypedDocument(document)) throw new Error('not an EIP-712 document')
  return account.signTypedData(document)
}

async function send(facts: DevFacts, account: PrivateKeyAccount, from: Fields): Promise<unknown> {
  const [nonce, gas, price] = await Promise.all([
    askDevChain('eth_getTransactionCount', [account.address, 'pending']),
    askDevChain('eth_estimateGas', [{ ...from, from: account.address }]),
    askDevChain('eth_gasPrice', []),
  ])
  const raw = await account.signTransaction({
    chainId: facts.chainId,
    to: asHex(from['to']),
    data: asHex(maybeStr(from, 'data') ?? '0x'),
    nonce: Number(nonce),
    gas: (BigInt(String(gas)) * 12n) / 10n,
    maxFeePerGas: BigInt(String(price)) * 2n,
    maxPriorityFeePerGas: 0n,
  })
  return askDevChain('eth_sendRawTransaction', [raw])
}
