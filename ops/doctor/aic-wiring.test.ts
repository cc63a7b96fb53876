import { type Address, createTestClient, http, publicActions, walletActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AicContracts, deployAic } from '../../contracts/script/deploy.ts'
import { startAnvil } from '../../dev/anvil/anvil.ts'
import { BASE_SEPOLIA, makeTestConfig } from '../../test/helpers/config.ts'
import type { Config } from '../../worker/config/config.ts'
import { checkWiring } from './aic-wiring.ts'

const TREASURY: Address = '0x7777777777777777777777777777777777777777'
const SAFE: Address = '0x5afe000000000000000000000000000000005afe'

let anvil: Awaited<ReturnType<typeof startAnvil>>
let ours: AicContracts
let theirs: AicContracts
let lockedSplitter: Address

beforeAll(async () => {
  anvil = await startAnvil({})
  const account = privateKeyToAccount(`0x${'42'.repeat(32)}`)
  const client = createTestClient({
    ...{ mode: 'anvil', chain: foundry, account, transport: http(anvil.url), pollingInterval: 20 },
  })
    .extend(publicActions)
    .extend(walletActions)
  await client.setBalance({ address: account.address, value: 10n ** 20n })
  ours = await deployAic(client, { treasury: TREASURY, burnBps: 2_000 })
  theirs = await deployAic(client, { treasury: TREASURY, burnBps: 2_000 })
  const locked = await deployAic(client, { treasury: ours.staking, burnBps: 2_000, token: ours.token })
  lockedSplitter = locked.splitter
  // Code that returns the number 2 to every call, as a Safe of threshold 2 does to `getThreshold()`.
  await client.setCode({ address: SAFE, bytecode: '0x600260005260206000f3' })
})

afterAll(() => anvil?.stop())

/** The findings by check, of our contracts with a change. */
async function found(change: Partial<Config['aic']> = {}, receiverAddress: Address = TREASURY) {
  const aic = {
    ...{ tokenAddress: ours.token, stakingAddress: ours.staking, paymentTokenAddress: ours.wrapped },
    ...{ splitterAddress: ours.splitter, burnBps: 2_000, ...change },
  }
  const networks: Config['networks'] = [{ ...BASE_SEPOLIA, rpcUrl: anvil.url }]
  const config = makeTestConfig({ aic, receiverAddress, networks })
  const findings = await checkWiring({ config, fetch, now: () => new Date(), newId: () => 'x' })
  return Object.fromEntries(findings.map(({ check, status, detail }) => [check, `${status}: ${detail}`]))
}

test('default: contracts of one deployment belong to each other', async () => {
  expect(Object.values(await found())).toEqual([
    'ok: token() is AIC_TOKEN_ADDRESS',
    'ok: underlying() is AIC_TOKEN_ADDRESS',
    `ok: the rest of each split goes to ${TREASURY}`,
    `ok: ${TREASURY} is an account with a key`,
  ])
})

test('behavior: a receiver that is a Safe is green, another contract is a warning', async () => {
  expect((await found({}, SAFE))['receiver']).toMatch(/^ok: .* is a Safe that needs 2 signatures/)
  expect((await found({}, theirs.wrapped))['receiver']).toMatch(/^warn: .* not a Safe/)
})

test('error: staking or wrapping another token than AIC, or a splitter as receiver, is a fault', async () => {
  expect((await found({ stakingAddress: theirs.staking }))['aic staked token']).toMatch(/^fail: token\(\) is/)
  expect((await found({ stakingAddress: ours.splitter }))['aic staked token']).toMatch(/^fail: .* not answer/)
  expect((await found({ paymentTokenAddress: theirs.wrapped }))['aic wrapped token']).toMatch(
    /^fail: underlying\(\) is/,
  )
  expect((await found({ splitterAddress: lockedSplitter }))['aic treasury']).toMatch(/^fail: .* nothing can leave/)
  expect((await found({}, theirs.splitter))['receiver']).toMatch(/^fail: .* stays there for ever/)
})

test('behavior: without AIC contracts only the receiver is checked', async () => {
  const networks: Config['networks'] = [{ ...BASE_SEPOLIA, rpcUrl: anvil.url }]
  const config = makeTestConfig({ networks, aic: { tokenAddress: ours.token } })
  const findings = await checkWiring({ config, fetch, now: () => new Date(), newId: () => 'x' })
  expect(findings.map(({ status }) => status)).toEqual(['skip', 'skip', 'skip', 'ok'])
})
