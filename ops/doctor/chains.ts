import { createClient, domainSeparator, type Hex, http } from 'viem'
import { getBlock, getChainId, readContract } from 'viem/actions'
import { parseAbi } from 'viem/utils'
import { ofOtherContract } from '../../contracts/checks/read-safe.ts'
import { knownNetwork } from '../../protocol/networks.ts'
import type { PaymentNetwork } from '../../worker/config/config.ts'
import { type Check, type Finding, fail, ok, skip, wordsOf } from './finding.ts'

const MAX_HEAD_AGE_SECONDS = 180
const tokenAbi = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function name() view returns (string)',
  'function version() view returns (string)',
])

/** A client for a few reads. */
export const clientOf = ({ rpcUrl }: PaymentNetwork) =>
  createClient({ transport: http(rpcUrl, { timeout: 10_000, retryCount: 1 }) })

const rpcVariable = ({ network }: PaymentNetwork): string => knownNetwork(network)?.rpcVariable ?? 'the RPC variable'

/** Checks that each network's RPC serves that chain and is up to date, and its USDC has the domain that buyers sign. */
export const checkChains: Check = async (context) =>
  (await Promise.all(context.config.networks.map((network) => checkChain(network, context.now())))).flat()

async function checkChain(network: PaymentNetwork, now: Date): Promise<Finding[]> {
  const check = `rpc ${network.network}`
  const tokenCheck = `usdc ${network.network}`
  const client = clientOf(network)
  try {
    const [chainId, head] = await Promise.all([getChainId(client), getBlock(client)])
    if (chainId !== network.chainId) {
      const advice = `${rpcVariable(network)}: it belongs to another chain. Give an RPC of ${network.name} (chain ${network.chainId}).`
      return [fail(check, `answers for chain ${chainId}`, advice), skip(tokenCheck, 'the RPC is of another chain')]
    }
    const age = Math.round(now.getTime() / 1_000 - Number(head.timestamp))
    const isBehind = age > MAX_HEAD_AGE_SECONDS
    const behind = `${rpcVariable(network)}: take another RPC, or check this machine’s clock. A node that lags does not see payments.`
    const rpc = isBehind
      ? fail(check, `its newest block is ${age} s old`, behind)
      : ok(check, `newest block ${age} s old`)
    return [rpc, await checkUsdc(tokenCheck, network)]
  } catch (error) {
    const advice = `${rpcVariable(network)}: nothing answers there. Correct it, or take another provider; public ones are often overloaded.`
    return [fail(check, `does not answer: ${wordsOf(error)}`, advice), skip(tokenCheck, 'the RPC does not answer')]
  }
}

async function checkUsdc(check: string, network: PaymentNetwork): Promise<Finding> {
  const { address, name, version } = network.usdc
  const expected = domainSeparator({ domain: { name, version, chainId: network.chainId, verifyingContract: address } })
  const read = <Name extends 'DOMAIN_SEPARATOR' | 'name' | 'version'>(functionName: Name) =>
    readContract(clientOf(network), { address, abi: tokenAbi, functionName })
  const found: Hex | null = await read('DOMAIN_SEPARATOR').catch(ofOtherContract)
  if (found === expected) return ok(check, `the domain is "${name}" version ${version}`)
  const source = network.network === 'eip155:31337' ? 'DEV_USDC_ADDRESS' : 'The table in protocol/networks.ts'
  if (found === null) {
    return fail(check, `${address} has no DOMAIN_SEPARATOR()`, `${source}: this is not USDC. Give the token’s address.`)
  }
  const [itsName, itsVersion] = await Promise.all([read('name').catch(() => '?'), read('version').catch(() => '?')])
  const advice = `${source}: buyers would sign "${name}" version ${version}, and the token calls itself "${itsName}" version ${itsVersion}. Every payment would be refused; give the right token.`
  return fail(check, `${address} has another EIP-712 domain`, advice)
}
