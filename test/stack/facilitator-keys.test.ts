import { describe, expect, test } from 'vitest'
import { freePort } from '../../dev/process/ports.ts'
import { fundedKeys, heldKeysAt, transfersTo } from '../helpers/facilitator-process.ts'
import { facilitatorStand } from '../helpers/facilitator-stand.ts'

const { isThere, get, start, stopped, started, settle, settleUntilAnswered, untilOpen, holdBlocks, resumeBlocks } =
  await facilitatorStand()

describe.skipIf(!isThere)('several processes of the facilitator (skipped where PostgreSQL is not installed)', () => {
  test('behavior: a second process with the same key takes over when the first is killed', async () => {
    const first = await started()
    const otherPort = await freePort()
    const second = start({ PORT: `${otherPort}` })
    await second.event('standing_by')
    const body = await get().payment()
    await holdBlocks()
    const lost = settle(body).catch(() => 'lost')
    await untilOpen(1)
    first.kill('SIGKILL')
    await lost
    await resumeBlocks()
    await second.event('listening')
    expect(await settleUntilAnswered(body, otherPort)).toMatchObject({ success: true })
    await stopped(second)
  })

  test('behavior: two processes share four keys; one is killed in a storm and nothing is lost', async () => {
    const keys = await fundedKeys(get().chain.url, 4)
    const ports = [get().port, await freePort()]
    const both = ports.map((at) =>
      start({ PORT: `${at}`, FACILITATOR_PRIVATE_KEY: '', FACILITATOR_PRIVATE_KEYS: keys.join(',') }),
    )
    const [first, second] = both
    if (first === undefined || second === undefined) throw new Error('no process')
    await Promise.all(both.map((program) => program.event('listening')))
    await expect.poll(() => Promise.all(ports.map(heldKeysAt)), { timeout: 60_000 }).toEqual([2, 2])
    const before = await transfersTo(get().chain)
    const bodies = await Promise.all(Array.from({ length: 40 }, () => get().payment()))
    await holdBlocks()
    // Each caller asks the other process when its own does not answer, as behind a balancer.
    const answers = Promise.all(bodies.map((body, index) => settleUntilAnswered(body, ports[index % 2], ports[1])))
    await untilOpen(10)
    first.kill('SIGKILL')
    await first.ended
    await resumeBlocks()
    const settled = await answers
    expect(settled.map((answer) => answer?.errorReason ?? answer?.success)).toEqual(Array(40).fill(true))
    const hashes = settled.map((answer) => answer?.transaction)
    expect((await transfersTo(get().chain)).slice(before.length).sort()).toEqual(hashes.sort())
    await expect.poll(() => heldKeysAt(ports[1] ?? 0), { timeout: 60_000 }).toBe(4)
    await stopped(second)
  })
})
