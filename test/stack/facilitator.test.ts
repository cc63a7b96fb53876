import { describe, expect, test } from 'vitest'
import { facilitatorKey } from '../../dev/anvil/accounts.ts'
import { transfersTo } from '../helpers/facilitator-process.ts'
import { facilitatorStand } from '../helpers/facilitator-stand.ts'

const stand = await facilitatorStand()
const { isThere, get, start, started, stopped, settle, settleUntilAnswered, query } = stand
const { untilOpen, holdBlocks, resumeBlocks } = stand

/** Makes stored transactions look as if they had waited at their fees. */
const aMinuteLater = () => query(`update facilitator.transactions set priced_at = priced_at - interval '61 seconds'`)

/** Settlements whose answer was not sent. */
const unanswered = () => query('select key from facilitator.settlements')

describe.skipIf(!isThere)('the facilitator as a program (skipped where PostgreSQL is not installed)', () => {
  test('behavior: of fifty payments at once and a kill each settles once and is answered', async () => {
    const before = await transfersTo(get().chain)
    let program = await started()
    const bodies = await Promise.all(Array.from({ length: 50 }, () => get().payment()))
    await holdBlocks()
    const answers = Promise.all(bodies.map((body) => settleUntilAnswered(body)))
    await untilOpen(15)
    program.kill('SIGKILL')
    expect(await program.ended).toBe('SIGKILL')
    expect((await get().store.inFlight('eip155:31337')).length).toBeGreaterThan(0)
    await resumeBlocks()
    program = await started()
    const settled = await answers
    expect(settled.map((answer) => answer?.errorReason ?? answer?.success)).toEqual(Array(50).fill(true))
    const hashes = settled.map((answer) => answer?.transaction).sort()
    expect((await transfersTo(get().chain)).slice(before.length).sort()).toEqual(hashes)
    // An answer that left right before the kill may have left its entry: who asks again gets it again. The others are refused.
    const second = await Promise.all(bodies.map((body) => settle(body)))
    for (const [i, said] of second.entries()) expect(said.transaction).toBe(said.success ? settled[i]?.transaction : '')
    await expect.poll(unanswered).toEqual([])
    expect(await settle(bodies[0])).toMatchObject({ success: false, transaction: '' })
    await stopped(program)
  })

  test('behavior: a caller that disconnected gets the answer when it comes back', async () => {
    const program = await started()
    const body = await get().payment()
    const disconnect = new AbortController()
    await holdBlocks()
    const gone = settle(body, { signal: disconnect.signal }).catch(() => 'gone')
    await untilOpen(1)
    const [sent] = await get().store.open('eip155:31337')
    disconnect.abort()
    expect(await gone).toBe('gone')
    await resumeBlocks()
    // While the first call is running, a second one gets no outcome.
    const again = async () => {
      const answer = await settle(body)
      return answer.errorReason === 'duplicate_settlement' ? answer.errorReason : answer
    }
    await expect.poll(again, { timeout: 30_000 }).toMatchObject({ success: true, transaction: sent?.hash })
    await stopped(program)
  })

  test('error: another signature on an open authorization gets no outcome', async () => {
    const program = await started()
    const body = await get().payment()
    await holdBlocks()
    const honest = settle(body)
    await untilOpen(1)
    const forged = structuredClone(body)
    forged.paymentPayload.payload.signature = `0x${'11'.repeat(64)}1b`
    expect(await settle(forged)).toMatchObject({ success: false, errorReason: 'duplicate_settlement', transaction: '' })
    await resumeBlocks()
    expect(await honest).toMatchObject({ success: true })
    await stopped(program)
  })

  test('behavior: SIGTERM waits for the running settlement', async () => {
    const program = await started()
    const body = await get().payment()
    await holdBlocks()
    const answer = settle(body)
    await untilOpen(1)
    program.kill('SIGTERM')
    await program.event('stopping')
    await resumeBlocks()
    expect(await answer).toMatchObject({ success: true })
    expect(await program.ended).toBe(0)
  })

  test('error: a stored transaction that was never sent is sent by the next process', async () => {
    const first = await started()
    const { rpc } = get()
    await holdBlocks()
    const body = await get().payment()
    const lost = settle(body).catch(() => 'lost')
    await untilOpen(1)
    first.kill('SIGKILL')
    expect(await lost).toBe('lost')
    await first.ended
    const [open] = await get().store.open('eip155:31337')
    await rpc.call('anvil_dropTransaction', open?.hash)
    await resumeBlocks()
    const second = await started()
    expect(await settleUntilAnswered(body)).toMatchObject({ success: true, transaction: open?.hash })
    await stopped(second)
  })

  test('behavior: a stuck transaction is replaced by the next process, and settles once', async () => {
    const first = await started()
    const { rpc } = get()
    const block = async (baseFeeGwei: number) => {
      await rpc.call('anvil_setNextBlockBaseFeePerGas', `0x${(baseFeeGwei * 1e9).toString(16)}`)
      await rpc.call('evm_mine')
    }
    await holdBlocks()
    await block(1)
    const before = await transfersTo(get().chain)
    const body = await get().payment()
    const lost = settle(body).catch(() => 'lost')
    await untilOpen(1)
    first.kill('SIGKILL')
    expect(await lost).toBe('lost')
    await first.ended
    await block(50)
    const [old] = await get().store.open('eip155:31337')
    await aMinuteLater()
    const second = await started()
    const [open] = await get().store.open('eip155:31337')
    expect(open?.replaced).toEqual([old?.hash])
    await block(50)
    await resumeBlocks()
    expect(await settleUntilAnswered(body)).toMatchObject({ success: true, transaction: open?.hash })
    expect((await transfersTo(get().chain)).slice(before.length)).toEqual([open?.hash])
    await stopped(second)
  })

  test('error: a faulty configuration names every fault and no value', async () => {
    const program = start({
      FACILITATOR_TOKEN: 'short',
      RECEIVER_ADDRESS: '',
      PAYMENT_NETWORKS: 'eip155:31337,eip155:5',
    })
    expect(await program.ended).toBe(1)
    expect(program.lines).toHaveLength(1)
    expect(program.lines[0]?.['faults']).toEqual([
      'FACILITATOR_TOKEN must have at least 32 characters',
      'RECEIVER_ADDRESS is missing',
      expect.stringMatching(/^PAYMENT_NETWORKS takes eip155:1, /),
    ])
  })

  test('behavior: health shows balance and lost gas, and warns below the threshold', async () => {
    const program = await started({ FACILITATOR_LOW_BALANCE_ETHER: '1000000' })
    expect(await program.event('balance.low')).toMatchObject({ level: 'warn', network: 'eip155:31337' })
    const response = await fetch(`http://127.0.0.1:${get().port}/health`)
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        status: 'low_balance',
        store: 'ok',
        balances: { 'eip155:31337': expect.stringMatching(/^\d+\.\d+$/) },
        lostGas: { 'eip155:31337': '0' },
        keys: { [facilitatorKey().account.address]: { held: true, balances: expect.anything() } },
      },
    ])
    await stopped(program)
  })
})
