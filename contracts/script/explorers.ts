import { setTimeout as wait } from 'node:timers/promises'
import type { Address, Hex } from 'viem'
import * as z from 'zod'
import type { Source } from './standard-json.ts'

/** A contract on chain, to be verified. */
export interface Deployed {
  chainId: number
  address: Address
  transaction: Hex
  /** The constructor's arguments, ABI-encoded, without `0x`. */
  constructorArguments: string
  source: Source
}

/** Has a contract verified. Throws when it is refused or takes longer than two minutes. */
export type Verifier = (deployed: Deployed) => Promise<void>

export interface ExplorerOptions {
  url: string
  pollMs?: number
}

const CALL_MS = 30_000
const POLL_MS = 3_000
const POLLS = 40

const sourcifyJob = z.object({ verificationId: z.string() })
const sourcifyStatus = z.object({
  isJobCompleted: z.boolean(),
  error: z.object({ message: z.string() }).optional(),
  contract: z.object({ match: z.string().nullable() }),
})

/** Sourcify, API version 2. */
export function makeSourcify({ url, pollMs = POLL_MS }: ExplorerOptions): Verifier {
  return async ({ chainId, address, transaction, source }) => {
    const { standardJson: stdJsonInput, compilerVersion, identifier: contractIdentifier } = source
    const body = { stdJsonInput, compilerVersion, contractIdentifier, creationTransactionHash: transaction }
    const response = await post(`${url}/v2/verify/${chainId}/${address}`, JSON.stringify(body), 'application/json')
    // It is verified already.
    if (response.status === 409) return
    if (!response.ok) throw new Error(`Sourcify answers ${response.status}: ${(await response.text()).slice(0, 200)}`)
    const { verificationId } = sourcifyJob.parse(await response.json())
    await poll(pollMs, async () => {
      const answer = await fetch(`${url}/v2/verify/${verificationId}`, { signal: AbortSignal.timeout(CALL_MS) })
      const { isJobCompleted, error, contract } = sourcifyStatus.parse(await answer.json())
      if (isJobCompleted && contract.match === null) throw new Error(`Sourcify: ${error?.message ?? 'no match'}`)
      return isJobCompleted
    })
  }
}

const etherscanAnswer = z.object({ status: z.string(), result: z.string() })

/** Etherscan, API version 2; one key for all of its explorers. */
export function makeEtherscan({ url, apiKey, pollMs = POLL_MS }: ExplorerOptions & { apiKey: string }): Verifier {
  return async ({ chainId, address, constructorArguments, source }) => {
    const call = async (fields: Record<string, string>) => {
      const query = new URLSearchParams({ chainid: String(chainId), apikey: apiKey })
      const form = new URLSearchParams({ module: 'contract', ...fields })
      const response = await post(`${url}?${query}`, form.toString(), 'application/x-www-form-urlencoded')
      return etherscanAnswer.parse(await response.json())
    }
    const sent = await call({
      action: 'verifysourcecode',
      codeformat: 'solidity-standard-json-input',
      contractaddress: address,
      contractname: source.identifier,
      compilerversion: `v${source.compilerVersion}`,
      // Etherscan spells it this way.
      constructorArguements: constructorArguments,
      sourceCode: JSON.stringify(source.standardJson),
    })
    if (/already verified/i.test(sent.result)) return
    if (sent.status !== '1') throw new Error(`Etherscan: ${sent.result.slice(0, 200)}`)
    await poll(pollMs, async () => {
      const { result } = await call({ action: 'checkverifystatus', guid: sent.result })
      if (/pass|already verified/i.test(result)) return true
      if (!/pending|in progress/i.test(result)) throw new Error(`Etherscan: ${result.slice(0, 200)}`)
      return false
    })
  }
}

const post = (url: string, body: string, type: string): Promise<Response> =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': type }, signal: AbortSignal.timeout(CALL_MS) })

async function poll(pollMs: number, isDone: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < POLLS; ++attempt) {
    if (await isDone()) return
    await wait(pollMs)
  }
  throw new Error('The verification takes longer than two minutes.')
}
