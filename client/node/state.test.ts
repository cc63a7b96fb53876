import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BudgetError } from '../src/errors.ts'
import { fileBudget, spentToday } from './file-budget.ts'
import { fileStore } from './file-store.ts'
import { openState, type State } from './state.ts'

const payer = '0x00000000000000000000000000000000000000aa'
const origin = 'https://coinslot.example'
const HOUR_MS = 3_600_000

let folder: string
let file: string
let state: State
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinslot-state-'))
  file = join(folder, 'coinslot', 'state.db')
  state = openState(file)
})
afterEach(async () => {
  state.close()
  await rm(folder, { recursive: true, force: true })
})

/** A separate process that runs `script` with the state's modules at hand. */
function inProcess(script: string) {
  const modules = ['state', 'file-budget', 'file-store'].map((name) => join(import.meta.dirname, `${name}.ts`))
  const imports = modules.map((path) => `const ${camel(path)} = await import(${JSON.stringify(path)});`).join('\n')
  return spawn(process.execPath, ['--input-type=module', '-e', `${imports}\n${script}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
const camel = (path: string): string => (path.split('/').at(-1) ?? '').replace('.ts', '').replace('-', '_')

describe('the budget', () => {
  it('default: counts a payment before it is signed, and refuses what exceeds it', async () => {
    const budget = fileBudget(state, '0.03')
    await budget.reserve({ paymentId: 'p1', amountAtomic: 10_000n, payer })
    await budget.reserve({ paymentId: 'p2', amountAtomic: 20_000n, payer })
    await expect(budget.reserve({ paymentId: 'p3', amountAtomic: 1n, payer })).rejects.toThrow(BudgetError)
    expect(spentToday(state, payer)).toBe(30_000n)
  })

  it('behavior: a payment that was not signed is no longer counted', async () => {
    const budget = fileBudget(state, '0.01')
    await budget.reserve({ paymentId: 'first', amountAtomic: 10_000n, payer })
    await budget.cancel('first')
    await budget.reserve({ paymentId: 'second', amountAtomic: 10_000n, payer })
  })

  it('behavior: counts any 24 hours, so that midnight does not double it', async () => {
    let now = Date.parse('2026-07-01T23:59:00Z')
    const budget = fileBudget(state, '0.01', () => now)
    await budget.reserve({ paymentId: 'p6', amountAtomic: 10_000n, payer })
    now += 23 * HOUR_MS
    await expect(budget.reserve({ paymentId: 'p7', amountAtomic: 10_000n, payer })).rejects.toThrow(BudgetError)
    now += HOUR_MS
    await budget.reserve({ paymentId: 'p8', amountAtomic: 10_000n, payer })
  })

  it('behavior: four processes at once cannot exceed it', async () => {
    const script = `
      const budget = file_budget.fileBudget(state.openState(${JSON.stringify(file)}), '0.1');
      let won = 0;
      for (let at = 0; at < 20; at += 1) {
        await budget.reserve({ paymentId: crypto.randomUUID(), amountAtomic: 3000n, payer: ${JSON.stringify(payer)} }).then(() => { won += 1 }, () => undefined);
      }
      process.stdout.write(String(won));`
    const won = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const child = inProcess(script)
        let out = ''
        child.stdout.on('data', (piece) => {
          out += piece
        })
        await once(child, 'close')
        return Number(out)
      }),
    )
    // 33 payments of 0.003 fit into 0.1, the 34th does not.
    expect(won.reduce((sum, one) => sum + one, 0)).toBe(33)
    expect(spentToday(state, payer)).toBe(99_000n)
  })
})

describe('kept payments', () => {
  const payment = {
    id: 'one',
    origin,
    payer,
    body: '{"input":{"prompt":"a"}}',
    header: 'abc=',
    network: 'eip155:1',
    asset: '0x01',
    amount: '10000',
    validBefore: 1_800_000_000,
    inferenceId: undefined,
  }

  it('default: a payment is stored with all members, and locked by the first to take it', async () => {
    const store = fileStore(state)
    await store.save(payment)
    expect(await store.take({ origin, payer })).toBeNull()
    await store.save({ ...payment, inferenceId: 'i' })
    await store.release(payment.id)
    expect(await store.take({ origin, payer, body: 'other' })).toBeNull()
    expect(await store.take({ origin, payer, body: payment.body })).toEqual({ ...payment, inferenceId: 'i' })
    expect(await store.take({ origin, payer, body: payment.body })).toBeNull()
    await store.remove(payment.id)
    await store.release(payment.id)
    expect(await store.list({ origin, payer })).toEqual([])
  })

  it('behavior: a running process keeps its lock, a killed one does not', async () => {
    const script = `
      const store = file_store.fileStore(state.openState(${JSON.stringify(file)}));
      await store.save(${JSON.stringify(payment)});
      process.stdout.write('held');
      setInterval(() => undefined, 1000);`
    const child = inProcess(script)
    await once(child.stdout, 'data')
    const store = fileStore(state)
    expect(await store.take({ origin, payer })).toBeNull()
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(await store.take({ origin, payer })).toEqual(payment)
  })
})

describe('the state', () => {
  it('behavior: is readable by its owner only', async () => {
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600')
  })
})
