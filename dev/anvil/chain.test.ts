import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, domainSeparator, type Hex, http, parseAbi } from 'viem'
import { multicall, readContract } from 'viem/actions'
import { expect, test } from 'vitest'
import { presaleAbi } from '../../contracts/abi/presale.ts'
import { checkLaunch } from '../../contracts/checks/launch-checks.ts'
import { launchPlanSchema } from '../../contracts/checks/launch-plan.ts'
import { readLaunchFacts } from '../../contracts/checks/read-facts.ts'
import { aicDeployerKey, buyerKeys } from './accounts.ts'
import { type RunningChain, startChain } from './chain.ts'
import { aicContractsOf } from './deploy-aic.ts'

/** `State.Open` of the presale. */
const OPEN = 1

const abi = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function decimals() view returns (uint8)',
  'function balanceOf(address account) view returns (uint256)',
])

const clientOf = (chain: RunningChain) => createClient({ transport: http(chain.url) })

async function withChain(
  options: Parameters<typeof startChain>[0],
  use: (chain: RunningChain) => Promise<void>,
): Promise<void> {
  const chain = await startChain(options)
  try {
    await use(chain)
  } finally {
    await chain.close()
  }
}

test('default: USDC signs as USD Coin 2 on chain 31337 and each buyer has 1,000', async () => {
  await withChain({ buyers: 3 }, async (chain) => {
    const client = clientOf(chain)
    const token = { address: chain.usdc, abi }
    const separator = await readContract(client, { ...token, functionName: 'DOMAIN_SEPARATOR' })
    const domain = { name: 'USD Coin', version: '2', chainId: 31337, verifyingContract: chain.usdc }
    expect(separator).toBe(domainSeparator({ domain }))
    expect(await readContract(client, { ...token, functionName: 'decimals' })).toBe(6)
    expect(chain.buyers).toHaveLength(3)
    const balances = await multicall(client, {
      multicallAddress: '0xcA11bde05977b3631167028862bE2a173976CA11',
      allowFailure: false,
      contracts: chain.buyers.map(({ address }) => ({ ...token, functionName: 'balanceOf', args: [address] }) as const),
    })
    expect(balances).toEqual([1_000_000_000n, 1_000_000_000n, 1_000_000_000n])
  })
})

test('behavior: chain 84532 has USDC at the Base Sepolia address, named USDC', async () => {
  await withChain({ chainId: 84532, buyers: 1 }, async (chain) => {
    expect(chain.usdc).toBe('0x036CbD53842c5426634e7929541eC2318f3dCF7e')
    const domain = { name: 'USDC', version: '2', chainId: 84532, verifyingContract: chain.usdc }
    const separator = await readContract(clientOf(chain), {
      address: chain.usdc,
      abi,
      functionName: 'DOMAIN_SEPARATOR',
    })
    expect(separator).toBe(domainSeparator({ domain }))
  })
})

test('behavior: a fork keeps its USDC and funds the buyers with it', async () => {
  await withChain({ chainId: 84532, buyers: 0 }, async (origin) => {
    await withChain({ forkUrl: origin.url, buyers: 1 }, async (fork) => {
      expect(fork.chainId).toBe(31337)
      expect(fork.usdc).toBe(origin.usdc)
      expect(fork.usdcName).toBe('USDC')
      const [buyer] = fork.buyers
      const balance = await readContract(clientOf(fork), {
        address: fork.usdc,
        abi,
        functionName: 'balanceOf',
        args: [buyer?.address ?? '0x'],
      })
      expect(balance).toBe(1_000_000_000n)
    })
  })
})

test('behavior: a kept chain starts again with its balances and funds no buyer twice', async () => {
  const stateDir = await mkdtemp(join(tmpdir(), 'chain-'))
  try {
    await withChain({ stateDir, buyers: 1 }, async () => undefined)
    await withChain({ stateDir, buyers: 2 }, async (chain) => {
      for (const { address } of chain.buyers) {
        const call = { address: chain.usdc, abi, functionName: 'balanceOf', args: [address] } as const
        expect(await readContract(clientOf(chain), call)).toBe(1_000_000_000n)
      }
    })
  } finally {
    await rm(stateDir, { recursive: true })
  }
})

test('behavior: buyers are the same each time', () => {
  const first: Hex | undefined = buyerKeys(1)[0]?.account.address
  expect(first).toBe('0x3e0E1467A79D80580C2be3b8a2E5CB41dbf27f3F')
  expect(buyerKeys(7)[0]?.account.address).toBe(first)
})

test('default: the presale of a new chain is open, at addresses known in advance', async () => {
  await withChain({ buyers: 1 }, async (chain) => {
    const { presale, token } = aicContractsOf(aicDeployerKey().account.address)
    expect(chain.contracts).toMatchObject(presale)
    expect(chain.aic).toBe(token)
    const sale = { address: presale.presale, abi: presaleAbi } as const
    const client = clientOf(chain)
    expect(await readContract(client, { ...sale, functionName: 'state' })).toBe(OPEN)
    const aic = await readContract(client, { ...sale, functionName: 'quote', args: [1n, 100_000_000n] })
    expect(aic).toBe(5_000n * 10n ** 18n)
    const facts = await readLaunchFacts(client, { addresses: presale, usdc: chain.usdc })
    const plan = launchPlanSchema.parse(JSON.parse(chain.launchPlan ?? ''))
    const checks = checkLaunch(facts, plan, false).map(({ check, status }) => [check, status])
    // Everything is as planned. Only the admin is a plain key and waits take a minute, so that it can be played.
    const reds = ['least cooling-off', 'least notice', 'admin is a multisig', 'least delay of admin transfers']
    expect(checks.filter(([, status]) => status !== 'green')).toEqual(reds.map((check) => [check, 'red']))
  })
})
